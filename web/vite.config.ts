// Relative addresses everywhere (base "./"), so that the page works below any path prefix. Nothing is inlined into the
// HTML: the server's Content-Security-Policy allows neither inline scripts nor inline styles.
import { defineConfig } from "vitest/config";

// `make dev` says where the server listens; Vite hands it what is not part of the page.
const server = "http://127.0.0.1:6006";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
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
  },
});
