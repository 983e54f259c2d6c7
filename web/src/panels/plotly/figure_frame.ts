// The page's half of the talk with a frame that draws a figure (public/plotly_frame.html). What comes out of the frame is
// a stranger's: it is looked at before it is used.

export type Told =
  | { readonly kind: "ready" }
  | { readonly kind: "drawn"; readonly id: number; readonly traces: number }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string; readonly details: string }
  | { readonly kind: "wish" }
  | { readonly kind: "picture"; readonly picture: Blob; readonly format: "png" | "svg" }
  | { readonly kind: "no picture"; readonly details: string };

const LONGEST = 400;

function asText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, LONGEST) : "";
}

/** Null for what no frame of ours says. */
export function parseTold(message: unknown): Told | null {
  if (typeof message !== "object" || message === null) return null;
  const told = message as Readonly<Record<string, unknown>>;
  if (told.lightboard !== "plotly") return null;
  if (told.ready === true) return { kind: "ready" };
  if (typeof told.drawn === "number") return { kind: "drawn", id: told.drawn, traces: Number(told.traces) || 0 };
  if (typeof told.failed === "number") {
    return { kind: "failed", id: told.failed, reason: asText(told.reason), details: asText(told.details) };
  }
  if (told.wish === "png") return { kind: "wish" };
  if (typeof told.failedPicture === "string") return { kind: "no picture", details: asText(told.failedPicture) };
  if (typeof told.picture === "string" && (told.format === "png" || told.format === "svg")) {
    const picture = pictureOf(told.picture, told.format);
    return picture === null ? { kind: "no picture", details: "" } : { kind: "picture", picture, format: told.format };
  }
  return null;
}

const PNG = "data:image/png;base64,";
const SVG = "data:image/svg+xml,";

/** The picture behind a data address; it becomes a file and nothing else. */
export function pictureOf(address: string, format: "png" | "svg"): Blob | null {
  try {
    if (format === "svg") {
      if (!address.startsWith(SVG)) return null;
      return new Blob([decodeURIComponent(address.slice(SVG.length))], { type: "image/svg+xml" });
    }
    if (!address.startsWith(PNG)) return null;
    const binary = atob(address.slice(PNG.length));
    return new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))], { type: "image/png" });
  } catch {
    return null;
  }
}

/** Colours and font of the page, for figures that do not bring their own. */
export function lookOf(style: CSSStyleDeclaration, theme: string, asLogged: boolean, png: string) {
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: asLogged ? "light" : theme,
    asLogged,
    card: color("card"),
    raised: color("raised"),
    text: color("text"),
    quiet: color("quiet"),
    line: color("line"),
    edge: color("edge"),
    font: color("font"),
    words: { png },
  };
}
