// Messages between the page and the iframe that draws a figure (public/plotly_frame.html). Messages from the iframe are
// untrusted: they are validated before use.

/** A message from the iframe. */
export type FrameMessage =
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

/** Returns null if the message is invalid. */
export function parseMessage(message: unknown): FrameMessage | null {
  if (typeof message !== "object" || message === null) return null;
  const members = message as Readonly<Record<string, unknown>>;
  if (members.lightboard !== "plotly") return null;
  if (members.ready === true) return { kind: "ready" };
  if (typeof members.drawn === "number")
    return { kind: "drawn", id: members.drawn, traces: Number(members.traces) || 0 };
  if (typeof members.failed === "number") {
    return { kind: "failed", id: members.failed, reason: asText(members.reason), details: asText(members.details) };
  }
  if (members.wish === "png") return { kind: "wish" };
  if (typeof members.failedPicture === "string") return { kind: "no picture", details: asText(members.failedPicture) };
  if (typeof members.picture === "string" && (members.format === "png" || members.format === "svg")) {
    const picture = pictureOf(members.picture, members.format);
    return picture === null
      ? { kind: "no picture", details: "" }
      : { kind: "picture", picture, format: members.format };
  }
  return null;
}

const PNG = "data:image/png;base64,";
const SVG = "data:image/svg+xml,";

/** Returns the image of a data URL; it is only saved as a file. */
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

/** Colors and font of the page, for figures that do not set their own. */
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
