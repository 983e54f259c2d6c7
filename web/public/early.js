// Before the first paint: the colours the reader chose, so that nothing flashes, and what the page of the address needs,
// so that it is fetched along with the first script.

// The rules are those of state/view.ts: an address of ours counts, then one of TensorBoard's, then the habit, then the
// system.
(() => {
  function from(text, pattern) {
    var found = pattern.exec(text);
    return found === null ? "" : found[1];
  }
  var theme = "";
  if (location.hash.indexOf("?") >= 0) theme = from(location.hash, /[?&]theme=(light|dark|auto)/) || "auto";
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
  /** What the page asks before anything else; src/api/early.ts takes the answer. Not a preload: an empty board shows
   * another page, and browsers complain of what was preloaded in vain. */
  function ask(address) {
    var answer = fetch(`./api/${address}`);
    answer.catch(() => undefined);
    window.lightboardEarly = { [address]: answer };
  }
  // see pages_ahead.ts
  var named = /^#(\w+)/.exec(location.hash);
  var told = document.querySelector("meta[name=pages]");
  if (named === null || told === null) return;
  // the question of state/trials.ts as it is at first
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
