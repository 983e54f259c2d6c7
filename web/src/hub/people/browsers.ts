// "Chrome on Linux" from the User-Agent of a session: enough to recognize one's own browsers.

const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bHeadlessChrome\//, "Chrome"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
  [/\bpython/i, "Python"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

type Client = { readonly browser: string; readonly system: string };

/** Empty where it is not known. */
export function clientOf(agent: string): Client {
  const named = (table: readonly (readonly [RegExp, string])[]): string =>
    table.find(([pattern]) => pattern.test(agent))?.[1] ?? "";
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
