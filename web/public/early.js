// Before the first paint: the colours the reader chose, so that nothing flashes. The rules are those of state/view.ts:
// an address of ours counts, then one of TensorBoard's, then the habit, then the system.
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
