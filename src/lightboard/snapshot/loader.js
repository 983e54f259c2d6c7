// Starts the page of a snapshot: unpacks its scripts, gives each an address, and imports the first one.
(async () => {
  async function unpack(name) {
    const text = document.querySelector(`script[data-block="${name}"]`).textContent;
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }
  const { view } = JSON.parse(document.getElementById("snapshot").textContent);
  if (location.hash === "" && view !== "") history.replaceState(null, "", `#${view}`);
  const { entry, files, sheets } = await unpack("page");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(sheets);
  document.adoptedStyleSheets = [sheet];
  const addresses = {};
  globalThis.lightboardFiles = addresses;
  for (const [name, text] of files) {
    const linked = text.replace(/((?:from|import)\s*)"(\.\/[\w.-]+\.js)"/g, (_, word, of) => `${word}"${addresses[of]}"`);
    addresses[name] = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
  }
  await import(addresses[entry]);
})().catch((error) => {
  document.getElementById("app").textContent = `This snapshot needs a newer browser. · 此快照需要更新的浏览器。 (${error})`;
});
