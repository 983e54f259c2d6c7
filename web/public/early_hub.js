// Runs before the script of the hub's page is loaded: requests the first rows of the board list, which
// src/hub/boards/board_list.ts asks for in the same words. Other addresses need other things.
(() => {
  if (!/^(#\/?(boards\/?)?)?$/.test(location.hash)) return;
  var link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = "./api/v1/boards?sort=-created&limit=50";
  document.head.append(link);
})();
