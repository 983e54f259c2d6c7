// Draws a scene on a canvas or into an SVG: only the visible part, with only the details visible at this scale.

import type { Surface } from "../../chart/surface";
import type { Fill, Filler, Palette } from "./colors";
import { CALL, CONST, SUMMARY } from "./model/columns";
import { LEAF, LIBRARY, SERIES } from "./model/hierarchy";
import { ASIDE, IN_LINE, ONLY_CONTROL, OPEN, REFERENCES, type Scene } from "./model/scene";
import type { SceneIndex } from "./model/scene_index";
import { HEADER, LABEL_PX, NOTE_PX, textWidth } from "./model/sizes";

export type Sight = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly scale: number;
};

export type Drawing = {
  readonly scene: Scene;
  readonly index: SceneIndex;
  readonly sight: Sight;
  readonly palette: Palette;
  readonly filler: Filler;
  readonly font: string;
  readonly words: {
    readonly nodes: (count: number) => string;
    readonly tensors: (count: number) => string;
    readonly library: string;
  };
  /** Box and dot that are selected or under the pointer; -1: none. */
  readonly chosenBox: number;
  readonly chosenDot: number;
  readonly hovered: number;
  readonly linesIn: ReadonlySet<number>;
  readonly linesOut: ReadonlySet<number>;
  /** Boxes that stay bright while a trace is shown; null: all. */
  readonly bright: ReadonlySet<number> | null;
};

// smaller letters are not readable
const LEAST_LETTER_PX = 5.5;
const FAINT = 0.22;
const FAR = 0.12;

export function drawScene(surface: Surface, drawing: Drawing): void {
  drawGroups(surface, drawing);
  drawLines(surface, drawing);
  drawBoxes(surface, drawing);
  drawDots(surface, drawing);
  if (drawing.sight.scale * NOTE_PX >= 7.5) drawLineLabels(surface, drawing);
}

function inSight({ x, y, w, h }: Sight, left: number, top: number, right: number, bottom: number): boolean {
  return right >= x && left <= x + w && bottom >= y && top <= y + h;
}

/** Visits visible boxes; skips the contents of boxes that are not visible or too small. */
function eachBox({ scene, index, sight }: Drawing, visit: (box: number, isOpen: boolean) => void): void {
  for (let i = 0; i < scene.item.length; ) {
    const [x, y, w, h] = [scene.x[i] ?? 0, scene.y[i] ?? 0, scene.w[i] ?? 0, scene.h[i] ?? 0];
    if (!inSight(sight, x - 8, y - 4, x + w + 12, y + h + 12)) {
      i = index.end[i] ?? i + 1;
      continue;
    }
    const isOpen = ((scene.flags[i] ?? 0) & OPEN) !== 0;
    visit(i, isOpen);
    i = isOpen && w * sight.scale < 12 ? (index.end[i] ?? i + 1) : i + 1;
  }
}

function drawGroups(surface: Surface, drawing: Drawing): void {
  const { scene, palette, bright } = drawing;
  eachBox(drawing, (i, isOpen) => {
    if (!isOpen) return;
    const [x, y, w, h] = [scene.x[i] ?? 0, scene.y[i] ?? 0, scene.w[i] ?? 0, scene.h[i] ?? 0];
    surface.globalAlpha = bright === null || bright.has(i) ? 1 : 0.6;
    surface.fillStyle = insideColor(palette, scene.depth[i] ?? 0);
    roundedPath(surface, x, y, w, h, 10);
    surface.fill();
    outline(surface, drawing, i);
    surface.globalAlpha = 1;
  });
}

function insideColor({ inside, plain }: Palette, depth: number): string {
  return inside[Math.min(inside.length - 1, depth)] ?? plain;
}

function outline(surface: Surface, { palette, chosenBox, chosenDot, hovered, sight }: Drawing, i: number): void {
  const isChosen = i === chosenBox && chosenDot < 0;
  surface.strokeStyle = isChosen ? palette.accent : i === hovered ? palette.quiet : palette.border;
  surface.lineWidth = isChosen ? Math.max(2.5, 2 / sight.scale) : i === hovered ? 1.5 : 1;
  surface.stroke();
}

function drawLines(surface: Surface, drawing: Drawing): void {
  const { scene, index, sight, palette, linesIn, linesOut, bright } = drawing;
  const marked: number[] = [];
  const faded = linesIn.size + linesOut.size > 0;
  // at a small scale all lines are one path: widths and bends are not visible
  const far = sight.scale < FAR;
  if (far) {
    surface.strokeStyle = palette.line;
    surface.lineWidth = 0.5 / sight.scale;
    surface.globalAlpha = bright !== null ? FAINT : 0.7;
    surface.beginPath();
  }
  for (let i = 0; i < scene.lineFrom.length; i++) {
    const b = 4 * i;
    const { bounds } = index;
    if (!inSight(sight, bounds[b] ?? 0, bounds[b + 1] ?? 0, bounds[b + 2] ?? 0, bounds[b + 3] ?? 0)) continue;
    if (linesIn.has(i) || linesOut.has(i)) {
      marked.push(i);
      continue;
    }
    if (far) {
      for (let p = scene.lineAt[i] ?? 0, first = p; p < (scene.lineAt[i + 1] ?? 0); p += 2) {
        if (p === first) surface.moveTo(scene.points[p] ?? 0, scene.points[p + 1] ?? 0);
        else surface.lineTo(scene.points[p] ?? 0, scene.points[p + 1] ?? 0);
      }
      continue;
    }
    const references = ((scene.lineFlags[i] ?? 0) & REFERENCES) !== 0;
    surface.globalAlpha = bright !== null ? FAINT : faded ? 0.55 : 0.9;
    drawLine(surface, drawing, i, references ? palette.reference : palette.line, 0);
  }
  if (far) surface.stroke();
  surface.globalAlpha = 1;
  for (const i of marked) drawLine(surface, drawing, i, linesOut.has(i) ? palette.output : palette.input, 0.8);
}

function drawLine(surface: Surface, { scene, sight }: Drawing, i: number, color: string, wider: number): void {
  const [from, to] = [scene.lineAt[i] ?? 0, scene.lineAt[i + 1] ?? 0];
  const control = ((scene.lineFlags[i] ?? 0) & ONLY_CONTROL) !== 0;
  const width = Math.max((scene.lineWidth[i] ?? 1) + wider, 0.5 / sight.scale);
  surface.strokeStyle = color;
  surface.fillStyle = color;
  surface.lineWidth = width;
  surface.lineJoin = "round";
  surface.setLineDash(control ? [5, 4] : []);
  surface.beginPath();
  let [x, y] = [scene.points[from] ?? 0, scene.points[from + 1] ?? 0];
  surface.moveTo(x, y);
  const steps = sight.scale > 0.5 ? 10 : sight.scale > 0.15 ? 5 : 1;
  // a line into an open group continues inside, so the arrow head is drawn there
  const target = scene.lineTo[i] ?? -1;
  const ends = target >= 0 && ((scene.flags[target] ?? 0) & OPEN) === 0;
  // the line stops before the tip of the arrow head: a wide line would be wider than the tip
  const head = ends && sight.scale > 0.25 ? 4 + width : 0;
  for (let p = from + 2; p < to; p += 2) {
    const last = p + 2 >= to;
    const nx = scene.points[p] ?? 0;
    const up = (scene.points[p + 1] ?? 0) < y;
    const ny = (scene.points[p + 1] ?? 0) - (last ? (up ? -head : head) : 0);
    curve(surface, x, y, nx, ny, steps);
    [x, y] = [nx, scene.points[p + 1] ?? 0];
    if (last && head > 0) {
      surface.stroke();
      surface.setLineDash([]);
      arrow(surface, nx, y, head, up);
      return;
    }
  }
  surface.stroke();
  surface.setLineDash([]);
}

/** Draws a curve that is vertical at both ends. */
function curve(surface: Surface, x0: number, y0: number, x1: number, y1: number, steps: number): void {
  if (Math.abs(x1 - x0) > 0.5) {
    for (let k = 1; k < steps; k++) {
      const t = k / steps;
      const s = t * t * (3 - 2 * t);
      surface.lineTo(x0 + (x1 - x0) * s, y0 + (y1 - y0) * t);
    }
  }
  surface.lineTo(x1, y1);
}

function arrow(surface: Surface, x: number, y: number, size: number, up: boolean): void {
  const base = up ? y + size : y - size;
  surface.beginPath();
  surface.moveTo(x, y);
  surface.lineTo(x - size * 0.6, base);
  surface.lineTo(x + size * 0.6, base);
  surface.closePath();
  surface.fill();
}

function drawBoxes(surface: Surface, drawing: Drawing): void {
  const { scene, palette, sight, bright, font, words } = drawing;
  const legible = sight.scale * LABEL_PX >= LEAST_LETTER_PX;
  const notes = sight.scale * NOTE_PX >= LEAST_LETTER_PX;
  eachBox(drawing, (i, isOpen) => {
    const [x, y, w, h] = [scene.x[i] ?? 0, scene.y[i] ?? 0, scene.w[i] ?? 0, scene.h[i] ?? 0];
    surface.globalAlpha = bright === null || bright.has(i) ? 1 : FAINT;
    const name = scene.type[i] === LIBRARY ? words.library : (scene.label[i] ?? "");
    if (!isOpen) drawBox(surface, drawing, i, x, y, w, h);
    if (legible) {
      surface.fillStyle = palette.text;
      surface.textBaseline = "middle";
      const leaf = scene.type[i] === LEAF;
      surface.font = `${leaf ? "" : "600 "}${LABEL_PX}px ${font}`;
      if (isOpen) {
        surface.textAlign = "left";
        // hide edges behind the name, which come in from above
        surface.fillStyle = insideColor(palette, scene.depth[i] ?? 0);
        surface.fillRect(x + 6, y + 5, Math.min(w - 12, textWidth(name, LABEL_PX, true) + 24), HEADER - 10);
        surface.fillStyle = palette.text;
        surface.fillText(name, x + 26, y + HEADER / 2);
        sign(surface, x + 14, y + HEADER / 2, palette.quiet, false);
      } else {
        const note = leaf ? (scene.note[i] ?? "") : words.nodes(scene.leaves[i] ?? 0);
        const shift = leaf ? 0 : 8;
        surface.textAlign = "center";
        surface.fillText(name, x + w / 2 + shift, y + h / 2 - (notes && note !== "" ? 6 : 0));
        if (!leaf) sign(surface, x + 15, y + h / 2, palette.quiet, true);
        if (notes && note !== "") {
          surface.font = `${NOTE_PX}px ${font}`;
          surface.globalAlpha *= 0.78;
          surface.fillText(note, x + w / 2 + shift, y + h / 2 + 8);
        }
      }
    }
    surface.globalAlpha = 1;
  });
  surface.textAlign = "left";
}

/** Draws a plus or minus in a ring. */
function sign(surface: Surface, x: number, y: number, color: string, plus: boolean): void {
  surface.strokeStyle = color;
  surface.lineWidth = 1.2;
  surface.beginPath();
  surface.arc(x, y, 6, 0, 2 * Math.PI);
  surface.moveTo(x - 3, y);
  surface.lineTo(x + 3, y);
  if (plus) {
    surface.moveTo(x, y - 3);
    surface.lineTo(x, y + 3);
  }
  surface.stroke();
}

function drawBox(surface: Surface, drawing: Drawing, i: number, x: number, y: number, w: number, h: number): void {
  const { scene, palette, filler, sight } = drawing;
  const small = h * sight.scale < 7;
  const leaf = scene.type[i] === LEAF;
  const radius = leaf ? 7 : 9;
  if (scene.type[i] === SERIES && !small) {
    const down = ((scene.flags[i] ?? 0) & IN_LINE) !== 0;
    for (const k of [2, 1]) {
      surface.fillStyle = palette.plain;
      roundedPath(surface, x + (down ? 0 : 4 * k), y + (down ? 4 * k : 0), w, h, radius);
      surface.fill();
      surface.strokeStyle = palette.border;
      surface.lineWidth = 1;
      surface.stroke();
    }
  }
  const fill = filler(i);
  if (small) {
    surface.fillStyle = typeof fill === "string" ? fill : (fill[0]?.color ?? palette.plain);
    surface.fillRect(x, y, w, h);
    surface.beginPath();
    surface.rect(x, y, w, h);
    if (h * sight.scale > 3) {
      surface.strokeStyle = palette.border;
      surface.lineWidth = 1;
      surface.stroke();
    } else {
      // about one pixel large: filled with the color of the border
      surface.fillStyle = palette.border;
      surface.globalAlpha *= 0.5;
      surface.fillRect(x, y, w, h);
    }
    if (i === drawing.chosenBox) outline(surface, drawing, i);
    return;
  }
  paintFill(surface, fill, x, y, w, h, radius);
  const kind = leaf ? (scene.kind[i] ?? 0) : 0;
  const color = palette.kinds[kind] ?? "";
  if (color !== "") {
    surface.fillStyle = color;
    surface.fillRect(x + 5, y + 7, 3, h - 14);
  }
  const aside = ((scene.flags[i] ?? 0) & ASIDE) !== 0;
  surface.setLineDash(aside ? [4, 3] : kind === CALL ? [] : []);
  roundedPath(surface, x, y, w, h, radius);
  outline(surface, drawing, i);
  surface.setLineDash([]);
}

function paintFill(surface: Surface, fill: Fill, x: number, y: number, w: number, h: number, radius: number): void {
  if (typeof fill === "string") {
    surface.fillStyle = fill;
    roundedPath(surface, x, y, w, h, radius);
    surface.fill();
    return;
  }
  surface.save();
  roundedPath(surface, x, y, w, h, radius);
  surface.clip();
  let left = x;
  for (const { color, share } of fill) {
    surface.fillStyle = color;
    surface.fillRect(left, y, w * share + 0.5, h);
    left += w * share;
  }
  surface.restore();
}

function drawDots(surface: Surface, { scene, sight, palette, chosenDot, bright }: Drawing): void {
  if (sight.scale < 0.25) return;
  for (let i = 0; i < scene.dotItem.length; i++) {
    const [x, y] = [scene.dotX[i] ?? 0, scene.dotY[i] ?? 0];
    if (!inSight(sight, x - 5, y - 5, x + 20, y + 5)) continue;
    const box = scene.dotBox[i] ?? 0;
    surface.globalAlpha = bright === null || bright.has(box) ? 1 : FAINT;
    surface.strokeStyle = palette.line;
    surface.lineWidth = 1;
    surface.beginPath();
    surface.moveTo(x + 3, y);
    surface.lineTo(scene.x[box] ?? 0, y);
    surface.stroke();
    const kind = scene.dotKind[i] ?? 0;
    const color = palette.kinds[kind] || palette.quiet;
    surface.fillStyle = i === chosenDot ? palette.accent : kind === CONST ? palette.card : color;
    surface.strokeStyle = i === chosenDot ? palette.accent : color;
    surface.beginPath();
    if (kind === SUMMARY) surface.rect(x - 3, y - 3, 6, 6);
    else surface.arc(x, y, 3.4, 0, 2 * Math.PI);
    surface.fill();
    surface.stroke();
  }
  surface.globalAlpha = 1;
}

function drawLineLabels(surface: Surface, drawing: Drawing): void {
  const { scene, index, sight, palette, font, words, bright } = drawing;
  surface.font = `${NOTE_PX}px ${font}`;
  surface.textAlign = "center";
  surface.textBaseline = "middle";
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  for (let i = 0; i < scene.lineFrom.length; i++) {
    const tensors = scene.lineTensors[i] ?? 0;
    const text = tensors > 1 ? words.tensors(tensors) : (scene.lineLabel[i] ?? "");
    // the label is drawn once, between the two boxes, and not on parts of the line inside open groups
    if (
      text === "" ||
      (scene.lineFrom[i] ?? -1) < 0 ||
      (scene.lineTo[i] ?? -1) < 0 ||
      (bright !== null && !drawing.linesIn.has(i))
    )
      continue;
    const b = 4 * i;
    const { bounds } = index;
    if (!inSight(sight, bounds[b] ?? 0, bounds[b + 1] ?? 0, bounds[b + 2] ?? 0, bounds[b + 3] ?? 0)) continue;
    const place = labelPlace(scene, i);
    if (place === null) continue;
    const width = text.length * NOTE_PX * 0.58 + 6;
    if (taken.some((one) => Math.abs(one.y - place.y) < 13 && Math.abs(one.x - place.x) < (one.width + width) / 2))
      continue;
    taken.push({ ...place, width });
    // a background behind the text keeps it readable over the line
    surface.fillStyle = palette.background;
    surface.globalAlpha = 0.82;
    surface.fillRect(place.x - width / 2, place.y - 7, width, 14);
    surface.globalAlpha = 1;
    surface.fillStyle = palette.quiet;
    surface.fillText(text, place.x, place.y);
  }
  surface.textAlign = "left";
}

/** Returns the position of a label: in the last segment of its line; null if that is too short. */
function labelPlace(scene: Scene, i: number): { readonly x: number; readonly y: number } | null {
  const [from, to] = [scene.lineAt[i] ?? 0, scene.lineAt[i + 1] ?? 0];
  // near the end, where lines of one source have separated
  const p = to - 4;
  if (p < from) return null;
  const [x0, y0, x1, y1] = [scene.points[p], scene.points[p + 1], scene.points[p + 2], scene.points[p + 3]].map(
    (one) => one ?? 0,
  );
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || Math.abs(y1 - y0) < 16)
    return null;
  const t = 0.55;
  return { x: x0 + (x1 - x0) * t * t * (3 - 2 * t), y: y0 + (y1 - y0) * t };
}

function roundedPath(surface: Surface, x: number, y: number, w: number, h: number, radius: number): void {
  const r = Math.min(radius, w / 2, h / 2);
  surface.beginPath();
  surface.moveTo(x + r, y);
  surface.lineTo(x + w - r, y);
  surface.arc(x + w - r, y + r, r, -Math.PI / 2, 0);
  surface.lineTo(x + w, y + h - r);
  surface.arc(x + w - r, y + h - r, r, 0, Math.PI / 2);
  surface.lineTo(x + r, y + h);
  surface.arc(x + r, y + h - r, r, Math.PI / 2, Math.PI);
  surface.lineTo(x, y + r);
  surface.arc(x + r, y + r, r, Math.PI, 1.5 * Math.PI);
  surface.closePath();
}

/** Hit test: a dot has priority over the box under it, and an inner box over those around it. */
export function pick(
  scene: Scene,
  index: SceneIndex,
  x: number,
  y: number,
): { readonly box: number; readonly dot: number } {
  for (let i = 0; i < scene.dotItem.length; i++) {
    const [dx, dy] = [(scene.dotX[i] ?? 0) - x, (scene.dotY[i] ?? 0) - y];
    if (dx * dx + dy * dy <= 30) return { box: scene.dotBox[i] ?? -1, dot: i };
  }
  let topmost = -1;
  for (let i = 0; i < scene.item.length; ) {
    const [left, top] = [scene.x[i] ?? 0, scene.y[i] ?? 0];
    const inside = x >= left && y >= top && x <= left + (scene.w[i] ?? 0) && y <= top + (scene.h[i] ?? 0);
    if (inside) topmost = i;
    i = inside ? i + 1 : (index.end[i] ?? i + 1);
  }
  return { box: topmost, dot: -1 };
}
