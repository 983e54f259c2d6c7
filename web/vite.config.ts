// Relative addresses everywhere (base "./"), so that the page works below any path prefix. Nothing is inlined into the
// HTML: the server's Content-Security-Policy allows neither inline scripts nor inline styles.
import { defineConfig } from "vitest/config";
import { pagesAhead } from "./pages_ahead.ts";

// `make dev` says where the server listens; Vite hands it what is not part of the page.
const server = "http://127.0.0.1:6006";

// `vite build --mode hub` builds the hub's page into the same folder, before the page of boards. The builds are separate
// because a file that both pages share would be a part of the board's first load.
export default defineConfig(({ mode }) => ({
  base: "./",
  plugins: mode === "hub" ? [] : [pagesAhead()],
  publicDir: mode === "hub" ? false : "public",
  build: {
    emptyOutDir: mode === "hub",
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: mode === "hub" ? "hub.html" : "index.html",
      output: {
        // few files: browsers fetch six at a time, and each costs both sides more than its bytes
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"], priority: 1 },
            // what three pages and more are made of
            { name: "pages", test: /\/src\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": server, "/data": server },
  },
  // style sheets are empty in tests but for the one whose colours are tested
  test: {
    include: ["src/**/*.test.ts"],
    css: { include: [/theme\.css/] },
    // no test takes long; a machine that does ten things at once does
    testTimeout: 60_000,
    // tests of what stays in memory collect garbage first
    execArgv: ["--expose-gc"],
  },
}));
