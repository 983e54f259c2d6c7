// Puts the live board in the place of its picture, if one of the ways to it leads to the very board the cell started.
// Runs in the notebook's page (or the frame of a cell's output), below the picture. Written into the output as it is,
// from the line below on, and called with what the kernel knows.
// ----
async function (options) {
  const FIRST_WAIT_MS = 15000; // a way that neither loads nor fails: a proxy that waits for a machine that is gone
  const AFTER_LOAD_MS = 1000; // an error page loads, too; ours has spoken by then

  // ---- where the board may be, from this page

  function pageConfig() {
    try {
      return JSON.parse(document.getElementById("jupyter-config-data").textContent);
    } catch {
      return {};
    }
  }

  function withPrefix(address) {
    const bare = address.replace(/\/+$/, "");
    return `${bare.endsWith(options.prefix) ? bare : bare + options.prefix}/`;
  }

  async function ways() {
    const found = [];
    const port = String(options.port);
    if (options.proxyUrl) {
      const address = options.proxyUrl.replaceAll("%PORT%", port).replaceAll("{port}", port);
      found.push(withPrefix(new URL(address, document.baseURI).href));
    }
    if (window.google?.colab?.kernel?.proxyPort) {
      found.push(withPrefix(await window.google.colab.kernel.proxyPort(options.port, { cache: true })));
    }
    const overHttp = location.protocol === "http:" || location.protocol === "https:";
    const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    const direct = (host) => `${options.scheme}://${host}:${port}${options.prefix}/`;
    if (here) found.push(direct(options.loopback ? location.hostname : options.host));
    const base = pageConfig().baseUrl ?? document.body?.dataset?.baseUrl ?? options.baseUrl;
    if (overHttp && base) {
      found.push(`${new URL(base, location.origin).href.replace(/\/+$/, "")}/proxy/${port}${options.prefix}/`);
    }
    if (!overHttp) found.push(direct("localhost")); // editors whose pages have no host
    if (!options.loopback && overHttp && !here && (options.scheme === "https" || location.protocol === "http:")) {
      found.push(direct(location.hostname));
    }
    return [...new Set(found)];
  }

  // ---- one way

  /** A frame that has told the session we wait for, or null. */
  function knock(place, address) {
    return new Promise((resolve) => {
      const frame = document.createElement("iframe");
      const query = new URLSearchParams();
      if (options.token) query.set("token", options.token);
      if (options.theme !== "auto") query.set("theme", options.theme);
      frame.src = `${address}frame.html?${query}`;
      frame.title = "Lightboard";
      frame.allow = "clipboard-write; fullscreen";
      frame.style.cssText = "width:100%;height:1px;border:0;visibility:hidden;display:block";
      const end = (result) => {
        clearTimeout(timer);
        window.removeEventListener("message", listen);
        frame.removeEventListener("load", wait);
        if (result === null) frame.remove();
        resolve(result);
      };
      const listen = (event) => {
        if (event.source === frame.contentWindow && event.data?.lightboard === options.session) end(frame);
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end(null), AFTER_LOAD_MS);
      };
      let timer = setTimeout(() => end(null), FIRST_WAIT_MS);
      window.addEventListener("message", listen);
      frame.addEventListener("load", wait);
      place.append(frame);
    });
  }

  // ---- what is shown

  function say(note, ...parts) {
    note.replaceChildren(...parts);
  }

  function link(address, words) {
    const made = document.createElement("a");
    made.href = options.token ? `${address}?token=${options.token}` : address;
    made.target = "_blank";
    made.rel = "noopener";
    made.textContent = words;
    return made;
  }

  /** Why the last way failed, where this page may know: it is of the page's own origin. */
  async function reason(addresses) {
    const own = addresses.filter((address) => new URL(address).origin === location.origin).at(-1);
    if (own === undefined) return "";
    try {
      const answer = await fetch(`${own}api/board`, options.token ? { headers: { Authorization: `Bearer ${options.token}` } } : {});
      if (answer.status === 404) return " This Jupyter server does not pass on ports: jupyter-server-proxy is not installed there.";
      if (answer.status === 403) return ` The board refused: ${(await answer.json()).error.hint}.`;
    } catch {
      // no answer at all, or not the board's: it is not running
    }
    return "";
  }

  async function root() {
    // some notebooks run scripts before they put the output into the page
    for (let tries = 0; tries < 200; tries += 1) {
      const found = document.getElementById(options.id);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return null;
  }

  const place = await root();
  if (place === null || place.dataset.started) return;
  place.dataset.started = "true";
  const note = place.querySelector(".lightboard-note");
  const kept = note.textContent;
  const addresses = await ways();
  for (const address of addresses) {
    const frame = await knock(place.querySelector(".lightboard-live"), address);
    if (frame === null) continue;
    frame.style.height = `${options.height}px`;
    frame.style.visibility = "";
    place.querySelector(".lightboard-still").style.display = "none";
    say(note, link(address, "Open in a tab"));
    return;
  }
  say(note, `${kept} The live board cannot be reached from this page; if it was stopped, run the cell again.${await reason(addresses)}`);
}
