// Replaces the picture by the live board, if one of the addresses leads to the board that the cell started.
// Runs in the notebook's page (or the iframe of a cell's output), below the picture. The code below the next line is
// written into the output unchanged, and called with options from the kernel.
// ----
async function (options) {
  const FIRST_WAIT_MS = 15000; // for an address that neither loads nor fails: a proxy that waits for a stopped machine
  const AFTER_LOAD_MS = 1000; // an error page loads, too; ours has sent its message by then

  const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

  // ---- possible addresses of the board, from this page

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

  /** The theme that the cell asks for, else that of the notebook's page, "" if it is not known: the browser's. */
  function theme() {
    if (options.theme !== "auto") return options.theme;
    const jupyter = document.body?.dataset?.jpThemeLight; // of JupyterLab and Notebook 7
    if (jupyter) return jupyter === "true" ? "light" : "dark";
    const classes = document.body?.classList; // of VS Code
    if (classes?.contains("vscode-dark") || classes?.contains("vscode-high-contrast")) return "dark";
    if (classes?.contains("vscode-light")) return "light";
    return document.documentElement.getAttribute("theme") === "dark" ? "dark" : ""; // of Colab
  }

  /** The hub's address as this page may frame it: on one machine `localhost` and 127.0.0.1 are different sites. */
  function frameOfHub() {
    const found = new URL(options.managed.frame);
    if (LOCAL.includes(found.hostname) && LOCAL.includes(location.hostname)) found.hostname = location.hostname;
    if (theme()) found.searchParams.set("theme", theme());
    return found.href;
  }

  async function ways() {
    if (options.managed) return [frameOfHub()];
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
    const here = LOCAL.includes(location.hostname);
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

  // ---- one address

  /** Resolves to an iframe that has sent the expected session, or null. */
  function knock(place, address) {
    return new Promise((resolve) => {
      const frame = document.createElement("iframe");
      const query = new URLSearchParams();
      if (options.token) query.set("token", options.token);
      if (theme()) query.set("theme", theme());
      frame.src = options.managed ? address : `${address}frame.html?${query}`;
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

  // ---- output

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

  /** Whether the hub lets this page show boards; browsers do not tell a page why a frame stays empty. */
  function isAllowed() {
    const letters = (text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
    return options.managed.ancestors.some((each) => new RegExp(`^${letters(each).replace(/\*/g, "[^/]*")}$`).test(location.origin));
  }

  function reasonOfHub() {
    const hub = new URL(options.managed.board).origin;
    if (location.origin !== hub && !isAllowed()) {
      return `The hub does not let this page show boards: an admin adds "${location.origin}" to frame_ancestors in its hub.toml. `;
    }
    return `The board cannot be shown here: ${hub} does not answer this browser, the board was stopped, or cookies are blocked. Run the cell again. `;
  }

  /** Returns why the last address failed, if it has this page's origin; other responses cannot be read. */
  async function reason(addresses) {
    const own = addresses.filter((address) => new URL(address).origin === location.origin).at(-1);
    if (own === undefined) return "";
    try {
      const answer = await fetch(`${own}api/board`, options.token ? { headers: { Authorization: `Bearer ${options.token}` } } : {});
      if (answer.status === 404) return " This Jupyter server does not pass on ports: jupyter-server-proxy is not installed there.";
      if (answer.status === 403) return ` The board refused: ${(await answer.json()).error.hint}.`;
    } catch {
      // no response, or not from the board: it is not running
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
    say(note, link(options.managed?.board ?? address, "Open in a tab"));
    return;
  }
  if (options.managed) {
    say(note, `${kept} ${reasonOfHub()}`, link(options.managed.board, "Open in a tab"));
    return;
  }
  say(note, `${kept} The live board cannot be reached from this page; if it was stopped, run the cell again.${await reason(addresses)}`);
}
