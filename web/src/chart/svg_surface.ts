// A Surface that writes SVG. Paths become <path>, clips become <clipPath>; numbers have two decimals.

import type { Surface } from "./surface";

export interface SvgSurface extends Surface {
  text(): string;
}

type Styles = Pick<
  Surface,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
>;

const ANCHORS: Readonly<Record<string, string>> = { center: "middle", right: "end", end: "end" };
// canvas baselines as shifts in em: not every viewer supports dominant-baseline
const SHIFTS: Readonly<Record<string, number>> = { middle: 0.35, top: 0.85, bottom: -0.2 };

export function newSvg(widthPx: number, heightPx: number): SvgSurface {
  return new Svg(widthPx, heightPx);
}

/** State that `save` stores in addition to the styles. */
type Saved = {
  readonly styles: Styles;
  readonly dashes: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly groups: number;
};

class Svg implements SvgSurface {
  fillStyle: Surface["fillStyle"] = "#000";
  strokeStyle: Surface["strokeStyle"] = "#000";
  lineWidth = 1;
  lineJoin: Surface["lineJoin"] = "miter";
  lineCap: Surface["lineCap"] = "butt";
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: Surface["textAlign"] = "left";
  textBaseline: Surface["textBaseline"] = "alphabetic";

  /** Elements in the order in which they were drawn. */
  private readonly parts: string[] = [];
  private readonly stack: Saved[] = [];
  /** Commands of the path since beginPath. */
  private path = "";
  /** Number of clips so far, used for their ids. */
  private clips = 0;
  /** Number of open <g> elements. */
  private groups = 0;
  /** The sum of all translations. */
  private x = 0;
  private y = 0;
  private dashes: readonly number[] = [];

  constructor(
    private readonly widthPx: number,
    private readonly heightPx: number,
  ) {}

  setLineDash(segments: readonly number[]): void {
    this.dashes = [...segments];
  }

  save(): void {
    const { dashes, x, y, groups } = this;
    this.stack.push({ styles: stylesOf(this), dashes, x, y, groups });
  }

  restore(): void {
    const saved = this.stack.pop();
    if (saved === undefined) return;
    Object.assign(this, saved.styles);
    this.dashes = saved.dashes;
    this.x = saved.x;
    this.y = saved.y;
    for (; this.groups > saved.groups; this.groups--) this.parts.push("</g>");
  }

  translate(x: number, y: number): void {
    this.x += x;
    this.y += y;
  }

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${this.at(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `${this.path === "" ? "M" : "L"}${this.at(x, y)}`;
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${this.at(x, y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  }

  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const point = (angle: number): string => this.at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    const r = `${short(radius)} ${short(radius)}`;
    const start = `${this.path === "" ? "M" : "L"}${point(from)}`;
    // an arc cannot end where it starts: a full circle is drawn as two halves
    const half = (from + to) / 2;
    const large = Math.abs(to - from) > Math.PI ? 1 : 0;
    if (Math.abs(to - from) < 2 * Math.PI - 1e-6) this.path += `${start}A${r} 0 ${large} 1 ${point(to)}`;
    else this.path += `${start.replace("L", "M")}A${r} 0 0 1 ${point(half)}A${r} 0 0 1 ${point(to)}Z`;
  }

  closePath(): void {
    this.path += "Z";
  }

  clip(): void {
    const id = `c${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`);
    this.groups++;
  }

  fill(): void {
    if (this.path === "") return;
    this.parts.push(`<path d="${this.path}" fill="${paint(this.fillStyle)}"${this.opacity()}/>`);
  }

  stroke(): void {
    if (this.path === "") return;
    const dash = this.dashes.length > 0 ? ` stroke-dasharray="${this.dashes.map(short).join(" ")}"` : "";
    const look = `stroke="${paint(this.strokeStyle)}" stroke-width="${short(this.lineWidth)}"`;
    const join = ` stroke-linejoin="${this.lineJoin}"`;
    this.parts.push(`<path d="${this.path}" fill="none" ${look}${join}${dash}${this.opacity()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (!(width > 0 && height > 0)) return;
    const place = `x="${short(x + this.x)}" y="${short(y + this.y)}"`;
    const size = `width="${short(width)}" height="${short(height)}"`;
    this.parts.push(`<rect ${place} ${size} fill="${paint(this.fillStyle)}"${this.opacity()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    const { weight, size, family } = fontOf(this.font);
    const shift = (SHIFTS[this.textBaseline] ?? 0) * size;
    const anchor = ANCHORS[this.textAlign];
    const place = `x="${short(x + this.x)}" y="${short(y + this.y + shift)}"${anchor ? ` text-anchor="${anchor}"` : ""}`;
    const face = `font-family="${escaped(family)}" font-size="${short(size)}"${weight ? ` font-weight="${weight}"` : ""}`;
    this.parts.push(`<text ${place} ${face} fill="${paint(this.fillStyle)}"${this.opacity()}>${escaped(text)}</text>`);
  }

  text(): string {
    const [width, height] = [short(this.widthPx), short(this.heightPx)];
    const size = `width="${width}" height="${height}"`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">`;
    return `${open}\n${this.parts.join("\n")}\n${"</g>".repeat(this.groups)}</svg>\n`;
  }

  private at(x: number, y: number): string {
    return `${short(x + this.x)} ${short(y + this.y)}`;
  }

  private opacity(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${short(this.globalAlpha)}"`;
  }
}

function stylesOf(surface: Styles): Styles {
  const { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textAlign, textBaseline } = surface;
  return { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textAlign, textBaseline };
}

function paint(style: Surface["fillStyle"]): string {
  return typeof style === "string" ? escaped(style) : "none";
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function fontOf(font: string): { weight: string; size: number; family: string } {
  const match = /^(?:(\d+|bold)\s+)?([\d.]+)px\s+(.*)$/.exec(font);
  return { weight: match?.[1] ?? "", size: Number(match?.[2] ?? 10), family: match?.[3] ?? "sans-serif" };
}

// control characters and lone surrogates, which names may contain: XML allows neither, even escaped
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

function escaped(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
