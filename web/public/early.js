// Runs before the first paint: sets the user's theme, so that the page does not flash, and requests the files of the
// page in the URL, so that they load in parallel with the first script.

// The order is that of state/view.ts: our own URL, then TensorBoard's, then the stored habit, then the system.
(() => {
  function from(text, pattern) {
    var found = pattern.exec(text);
    return found === null ? "" : found[1];
  }
  var theme = "";
  // addresses of the hub's page begin with #/ and have no theme
  if (location.hash.indexOf("?") >= 0 && location.hash.indexOf("#/") !== 0)
    theme = from(location.hash, /[?&]theme=(light|dark|auto)/) || "auto";
  theme = theme === "auto" || theme === "" ? from(location.search, /[?&]theme=(light|dark|auto)/) || theme : theme;
  if (theme === "" && /[?&]darkMode=true/.test(location.search)) theme = "dark";
  if (theme === "") {
    try {
      theme = JSON.parse(localStorage.getItem("lightboard.habits") || "{}").theme || "";
    } catch (_error) {
      theme = "";
    }
  }
  if (theme !== "light" && theme !== "dark")
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
})();

(() => {
  function ahead(address) {
    var link = document.createElement("link");
    var script = /\.js$/.test(address);
    link.rel = script ? "modulepreload" : "preload";
    if (!script) link.as = "style";
    link.crossOrigin = "";
    link.href = address;
    document.head.append(link);
  }
  /**
   * Sends the page's first request; src/api/early.ts takes the response. Not a preload: an empty board shows another
   * page, and browsers warn about unused preloads.
   */
  function ask(address) {
    var answer = fetch(`./api/${address}`);
    answer.catch(() => undefined);
    window.lightboardEarly = { [address]: answer };
  }
  // see pages_ahead.ts
  var named = /^#(\w+)/.exec(location.hash);
  var told = document.querySelector("meta[name=pages]");
  if (named === null || told === null) return;
  // the default request of state/trials.ts
  if (named[1] === "hparams" && !/[?&](hparams(Metrics|Value|By|Repeats|Spread)|rewinds)=/.test(location.hash)) {
    ask("trials");
  }
  if (named[1] === "graphs") ask("graphs");
  told.content.split(";").forEach((page) => {
    var files = page.split(" ");
    if (files[0] !== named[1]) return;
    files.slice(1).forEach((file) => {
      ahead(`./${file}`);
    });
  });
})();
