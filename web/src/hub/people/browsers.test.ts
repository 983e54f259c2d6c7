// Tests the names of browsers and systems in the list of sessions.

import { expect, test } from "vitest";
import { clientOf } from "./browsers";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, "Chrome", "Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/130.0.0.0`, "Edge", "Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605 Version/17.0 Safari/605", "Safari", "macOS"],
  ["Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0", "Firefox", "Android"],
  ["curl/8.5.0", "curl", ""],
  ["", "", ""],
])("%s", (agent, browser, system) => {
  expect(clientOf(agent)).toEqual({ browser, system });
});
