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
  /** A script, unless it is told what else. */
  function ahead(address, what) {
    var link = document.createElement("link");
    link.rel = what === "" ? "modulepreload" : "preload";
    if (what !== "") link.as = what;
    link.crossOrigin = "";
    link.href = address;
    document.head.append(link);
  }
  // see pages_ahead.ts
  var named = /^#(\w+)/.exec(location.hash);
  var told = document.querySelector("meta[name=pages]");
  var asked = document.createElement("link");
  if (named === null || told === null) return;
  // the question of state/trials.ts as it is at first
  if (named[1] === "hparams" && !/[?&](hparams(Metrics|Value|Repeats|Spread)|rewinds)=/.test(location.hash)) {
    asked.rel = "preload";
    asked.as = "fetch";
    asked.crossOrigin = "anonymous";
    asked.href = "./api/trials";
    document.head.append(asked);
  }
  told.content.split(";").forEach((page) => {
    var files = page.split(" ");
    if (files[0] !== named[1]) return;
    files.slice(1).forEach((file) => {
      ahead(`./${file}`, /\.js$/.test(file) ? "" : "style");
    });
    // what the page asks before anything else
    if (files[0] === "graphs") ahead("./api/graphs", "fetch");
  });
})();
