// A Surface that writes SVG. Paths become <path>, clips become <clipPath>; numbers have two decimals.

import type { Surface } from "./surface";

export interface SvgSurface extends Surface {
  text(): string;
}

type State = Pick<
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
> & { dashes: readonly number[]; x: number; y: number; groups: number };

const ANCHORS: Readonly<Record<string, string>> = { center: "middle", right: "end", end: "end" };
// canvas baselines as shifts in em: dominant-baseline is not understood by every viewer
const SHIFTS: Readonly<Record<string, number>> = { middle: 0.35, top: 0.85, bottom: -0.2 };

export function newSvg(widthPx: number, heightPx: number): SvgSurface {
  const parts: string[] = [];
  const stack: State[] = [];
  let path = "";
  let clips = 0;
  let groups = 0;
  let x0 = 0;
  let y0 = 0;
  let dashes: readonly number[] = [];

  const at = (x: number, y: number): string => `${short(x + x0)} ${short(y + y0)}`;
  const opacity = (): string => (svg.globalAlpha === 1 ? "" : ` opacity="${short(svg.globalAlpha)}"`);

  const svg: SvgSurface = {
    fillStyle: "#000",
    strokeStyle: "#000",
    lineWidth: 1,
    lineJoin: "miter",
    lineCap: "butt",
    globalAlpha: 1,
    font: "10px sans-serif",
    textAlign: "left",
    textBaseline: "alphabetic",
    setLineDash(segments) {
      dashes = [...segments];
    },
    save() {
      const { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textAlign, textBaseline } = svg;
      const paint = {
        fillStyle,
        strokeStyle,
        lineWidth,
        lineJoin,
        lineCap,
        globalAlpha,
        font,
        textAlign,
        textBaseline,
      };
      stack.push({ ...paint, dashes, x: x0, y: y0, groups });
    },
    restore() {
      const state = stack.pop();
      if (state === undefined) return;
      const { dashes: oldDashes, x, y, groups: oldGroups, ...paint } = state;
      Object.assign(svg, paint);
      dashes = oldDashes;
      x0 = x;
      y0 = y;
      for (; groups > oldGroups; groups--) parts.push("</g>");
    },
    translate(x, y) {
      x0 += x;
      y0 += y;
    },
    beginPath() {
      path = "";
    },
    moveTo(x, y) {
      path += `M${at(x, y)}`;
    },
    lineTo(x, y) {
      path += `${path === "" ? "M" : "L"}${at(x, y)}`;
    },
    rect(x, y, width, height) {
      path += `M${at(x, y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
    },
    arc(x, y, radius, from, to) {
      const point = (angle: number): string => at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      const r = `${short(radius)} ${short(radius)}`;
      const start = `${path === "" ? "M" : "L"}${point(from)}`;
      // an arc cannot end where it starts: a full circle is two halves
      const half = (from + to) / 2;
      const large = Math.abs(to - from) > Math.PI ? 1 : 0;
      if (Math.abs(to - from) < 2 * Math.PI - 1e-6) path += `${start}A${r} 0 ${large} 1 ${point(to)}`;
      else path += `${start.replace("L", "M")}A${r} 0 0 1 ${point(half)}A${r} 0 0 1 ${point(to)}Z`;
    },
    closePath() {
      path += "Z";
    },
    clip() {
      const id = `c${++clips}`;
      parts.push(`<clipPath id="${id}"><path d="${path}"/></clipPath><g clip-path="url(#${id})">`);
      groups++;
    },
    fill() {
      if (path !== "") parts.push(`<path d="${path}" fill="${paint(svg.fillStyle)}"${opacity()}/>`);
    },
    stroke() {
      if (path === "") return;
      const dash = dashes.length > 0 ? ` stroke-dasharray="${dashes.map(short).join(" ")}"` : "";
      const look = `stroke="${paint(svg.strokeStyle)}" stroke-width="${short(svg.lineWidth)}"`;
      const join = ` stroke-linejoin="${svg.lineJoin}"`;
      parts.push(`<path d="${path}" fill="none" ${look}${join}${dash}${opacity()}/>`);
    },
    fillRect(x, y, width, height) {
      if (!(width > 0 && height > 0)) return;
      const size = `width="${short(width)}" height="${short(height)}"`;
      parts.push(
        `<rect x="${short(x + x0)}" y="${short(y + y0)}" ${size} fill="${paint(svg.fillStyle)}"${opacity()}/>`,
      );
    },
    fillText(text, x, y) {
      const { weight, size, family } = fontOf(svg.font);
      const shift = (SHIFTS[svg.textBaseline] ?? 0) * size;
      const anchor = ANCHORS[svg.textAlign];
      const place = `x="${short(x + x0)}" y="${short(y + y0 + shift)}"${anchor ? ` text-anchor="${anchor}"` : ""}`;
      const face = `font-family="${escaped(family)}" font-size="${short(size)}"${weight ? ` font-weight="${weight}"` : ""}`;
      parts.push(`<text ${place} ${face} fill="${paint(svg.fillStyle)}"${opacity()}>${escaped(text)}</text>`);
    },
    text() {
      const size = `width="${short(widthPx)}" height="${short(heightPx)}"`;
      const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${short(widthPx)} ${short(heightPx)}">`;
      return `${open}\n${parts.join("\n")}\n${"</g>".repeat(groups)}</svg>\n`;
    },
  };
  return svg;
}

function paint(style: Surface["fillStyle"]): string {
  return typeof style === "string" ? escaped(style) : "none";
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function fontOf(font: string): { weight: string; size: number; family: string } {
  const found = /^(?:(\d+|bold)\s+)?([\d.]+)px\s+(.*)$/.exec(font);
  return { weight: found?.[1] ?? "", size: Number(found?.[2] ?? 10), family: found?.[3] ?? "sans-serif" };
}

// control characters and halves of surrogate pairs, as odd names have them: XML allows neither, even escaped
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

function escaped(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
