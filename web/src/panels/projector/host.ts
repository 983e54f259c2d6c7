// The drawing worker's mind: holds points, colours and marks, draws when something changed and at most once a frame, and
// says which point is where.

import { decodeFrame } from "../../base/frame";
import type { ProjectorCamera } from "../../state/members/projector";
import { firstCamera, type Lens, lensOf } from "./camera";
import { type Cloud, cloudOf, spread } from "./cloud";
import { type GlPainter, makeGlPainter } from "./gl_painter";
import type { Coloring, Look, Marks, ToPage, ToWorker } from "./messages";
import { drawOverlay, type Labels } from "./overlay";
import { drawPoints, paintOf, pointRadius } from "./painting";
import { look as lookAt, makeSeen, type Seen } from "./raster";

export type Surroundings = {
  readonly nextFrame: (callback: () => void) => void;
  readonly now: () => number;
  readonly post: (message: ToPage, transfer?: readonly Transferable[]) => void;
};

// how much is drawn of what moves: as much as takes so many milliseconds
const MOVING_MS = 26;
const FEWEST_MOVING = 8000;
const MOVING_POINTS = 120_000;
const CARD_MOVING_POINTS = 1_000_000;
const PICK_PX = 7;
const MOST_WANTED = 400;

const NO_MARKS: Marks = { selected: new Uint32Array(), neighbors: new Uint32Array(), hovered: -1, only: null };

export type Scene = {
  readonly cloud: Cloud;
  readonly lens: Lens;
  readonly look: Look;
  readonly marks: Marks;
  /** 1 for each row that is shown; null: all are. */
  readonly shown: Uint8Array | null;
  /** A pixel for each row; null: all alike. */
  readonly colors: Uint32Array | null;
  readonly ratio: number;
  readonly moving: boolean;
  /** Points are pictures of this sheet. */
  readonly sprite: { readonly sheet: ImageBitmap; readonly width: number; readonly height: number } | null;
};

export function createHost({ nextFrame, now, post }: Surroundings): (message: ToWorker) => void {
  let points: OffscreenCanvas | null = null;
  let overlay: OffscreenCanvas | null = null;
  let size = { width: 0, height: 0, ratio: 1 };
  let cloud: Cloud | null = null;
  let layout: { readonly coordinates: Float32Array; readonly rows: number; readonly dims: number } | null = null;
  let key = "";
  let coloring: Coloring = { kind: "none" };
  let colors: Uint32Array | null = null;
  let look: Look | null = null;
  let camera: ProjectorCamera | null = null;
  let flat = false;
  let moving = false;
  let marks = NO_MARKS;
  let shown: Uint8Array | null = null;
  let sprite: Scene["sprite"] = null;
  let seen: Seen = makeSeen(0);
  let movingPoints = MOVING_POINTS;
  let most = Number.POSITIVE_INFINITY;
  /** Undefined: not looked for yet. */
  let card: GlPainter | null | undefined;
  let frames = 0;
  let due = false;
  const labels: Labels = { texts: new Map() };

  const scene = (): Scene | null => {
    if (cloud === null || look === null || size.width === 0 || size.height === 0) return null;
    const eye = camera ?? firstCamera(flat, size.width / size.height);
    const lens = lensOf(eye, size.width, size.height, flat);
    const images = look.images ? sprite : null;
    return { cloud, lens, look, marks, shown, colors, ratio: size.ratio, moving, sprite: images };
  };

  const soon = (): void => {
    if (due) return;
    due = true;
    nextFrame(() => {
      due = false;
      draw();
    });
  };

  /** The graphics card, if it is to draw; found when it is needed for the first time. */
  const cardFor = (wish: Look["painter"]): GlPainter | null => {
    if (wish === "processor") return null;
    if (card === undefined) {
      card = makeGlPainter(wish === "card", soon);
      movingPoints = card === null ? MOVING_POINTS : CARD_MOVING_POINTS;
      most = Number.POSITIVE_INFINITY;
    } else if (card?.isLost()) {
      card = null;
      movingPoints = MOVING_POINTS;
      most = Number.POSITIVE_INFINITY;
    }
    return card;
  };

  const draw = (): void => {
    const context = points?.getContext("2d");
    const above = overlay?.getContext("2d");
    if (!context || !above || look === null || size.width === 0) return;
    const begin = now();
    const current = scene();
    if (current === null) {
      context.fillStyle = look.background;
      context.fillRect(0, 0, size.width, size.height);
      above.clearRect(0, 0, size.width, size.height);
      return;
    }
    const total = marks.only?.length ?? current.cloud.rows;
    if (seen.x.length < total) seen = makeSeen(total);
    const step = moving ? Math.max(1, Math.ceil(total / movingPoints)) : 1;
    const byCard = cardFor(look.painter)?.draw(context, current, seen, step) ?? null;
    const drawn = byCard ?? drawPoints(context, current, seen, step);
    const wanted = drawOverlay(above, current, seen, labels);
    const ms = now() - begin;
    if (moving) {
      // a card that cannot keep up with so many gets fewer for good: points that come and go would flicker
      if (card?.isBehind()) most = 0.75 * movingPoints;
      const next = Math.min(most, movingPoints * Math.min(1.4, Math.max(0.5, MOVING_MS / Math.max(1, ms))));
      movingPoints = Math.max(FEWEST_MOVING, Math.min(next, Math.max(movingPoints, total)));
    }
    frames += 1;
    post({
      type: "drawn",
      key,
      points: drawn,
      rows: current.cloud.rows,
      ms,
      moving,
      frames,
      by: byCard === null ? "processor" : "card",
    });
    if (!moving && wanted.length > 0) post({ type: "wanted", rows: wanted.slice(0, MOST_WANTED) });
  };

  const paint = (): void => {
    colors = cloud === null ? null : paintOf(coloring, cloud.rows, look?.plain ?? "#888888");
  };

  /** The nearest to the eye of those under the pointer, pictures counting as large as they are. */
  const pick = (x: number, y: number): { row: number; x: number; y: number } => {
    const nothing = { row: -1, x, y };
    const current = scene();
    if (current === null) return nothing;
    const { ratio } = current;
    const total = marks.only?.length ?? current.cloud.rows;
    const all = makeSeenFor(total);
    lookAt(current.lens, current.cloud.positions, marks.only, 1, null, all);
    const radius = pointRadius(current);
    const reach = Math.max(PICK_PX * ratio, current.sprite === null ? radius + 2 : 5 * radius);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < all.count; i++) {
      const away = Math.hypot((all.x[i] ?? 0) - x * ratio, (all.y[i] ?? 0) - y * ratio);
      if (away > reach) continue;
      // of two discs under the pointer the front one counts; of two beside it the nearer one
      const cost = Math.max(0, away - radius) * 64 - (all.near[i] ?? 0) / 16;
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    if (best < 0) return nothing;
    return { row: all.row[best] ?? -1, x: (all.x[best] ?? 0) / ratio, y: (all.y[best] ?? 0) / ratio };
  };

  const boxed = (box: readonly [number, number, number, number]): Uint32Array => {
    const current = scene();
    if (current === null) return new Uint32Array();
    const { ratio } = current;
    const [x0, y0] = [Math.min(box[0], box[2]) * ratio, Math.min(box[1], box[3]) * ratio];
    const [x1, y1] = [Math.max(box[0], box[2]) * ratio, Math.max(box[1], box[3]) * ratio];
    const all = makeSeenFor(marks.only?.length ?? current.cloud.rows);
    lookAt(current.lens, current.cloud.positions, marks.only, 1, null, all);
    const inside = new Uint32Array(all.count);
    let count = 0;
    for (let i = 0; i < all.count; i++) {
      const [x, y] = [all.x[i] ?? 0, all.y[i] ?? 0];
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) inside[count++] = all.row[i] ?? 0;
    }
    return inside.slice(0, count).sort();
  };

  // picking must not disturb what the last drawing saw
  let spare: Seen = makeSeen(0);
  const makeSeenFor = (count: number): Seen => {
    if (spare.x.length < count) spare = makeSeen(count);
    return spare;
  };

  const picture = async (): Promise<Blob | null> => {
    if (points === null || overlay === null) return null;
    const both = new OffscreenCanvas(points.width, points.height);
    const context = both.getContext("2d");
    if (context === null) return null;
    context.drawImage(points, 0, 0);
    context.drawImage(overlay, 0, 0);
    return both.convertToBlob({ type: "image/png" });
  };

  const resize = (): void => {
    for (const canvas of [points, overlay]) {
      if (canvas === null || size.width === 0) continue;
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
    }
  };

  return (message) => {
    switch (message.type) {
      case "canvas":
        points = message.points;
        overlay = message.overlay;
        resize();
        break;
      case "size":
        most = Number.POSITIVE_INFINITY;
        size = { width: message.width, height: message.height, ratio: message.ratio };
        resize();
        break;
      case "layout": {
        const { header, arrays } = decodeFrame<{ readonly rows: number }>(message.frame);
        const coordinates = arrays.get("coordinates");
        if (!(coordinates instanceof Float32Array) || coordinates.length === 0) return;
        const before = cloud?.rows;
        const dims = coordinates.length / header.rows;
        const { rows, total } = message;
        layout =
          rows === null
            ? { coordinates, rows: header.rows, dims }
            : { coordinates: spread(coordinates, dims, rows, total), rows: total, dims };
        cloud = cloudOf(layout.coordinates, layout.rows, layout.dims, marks.only);
        key = message.key;
        if (before !== cloud.rows || colors === null) paint();
        break;
      }
      case "clear":
        cloud = null;
        layout = null;
        key = "";
        labels.texts.clear();
        break;
      case "colors":
        coloring = message.coloring;
        paint();
        break;
      case "look": {
        const plain = look?.plain !== message.look.plain;
        if (look !== null && look.painter !== message.look.painter) {
          card?.close();
          card = undefined;
          movingPoints = MOVING_POINTS;
        }
        look = message.look;
        if (plain) paint();
        break;
      }
      case "camera":
        camera = message.camera;
        flat = message.flat;
        moving = message.moving;
        break;
      case "marks": {
        const alike = same(marks.only, message.marks.only);
        const only = alike ? marks.only : message.marks.only;
        marks = { ...message.marks, only };
        if (alike) break;
        shown = only === null ? null : maskOf(only);
        if (layout !== null) cloud = cloudOf(layout.coordinates, layout.rows, layout.dims, only);
        break;
      }
      case "labels":
        if (message.fresh) labels.texts.clear();
        for (const [row, text] of message.texts) labels.texts.set(row, text);
        break;
      case "sprite":
        sprite?.sheet.close();
        sprite = message.sheet === null ? null : { ...message, sheet: message.sheet };
        break;
      case "pick":
        post({ type: "picked", question: message.question, ...pick(message.x, message.y) });
        return;
      case "box": {
        const rows = boxed(message.box);
        post({ type: "boxed", question: message.question, rows }, [rows.buffer]);
        return;
      }
      case "picture":
        void picture().then((blob) => post({ type: "picture", question: message.question, blob }));
        return;
    }
    soon();
  };
}

function same(one: Uint32Array | null, other: Uint32Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((row, at) => row === other[at]);
}

function maskOf(rows: Uint32Array): Uint8Array {
  const mask = new Uint8Array((rows.at(-1) ?? -1) + 1);
  for (const row of rows) mask[row] = 1;
  return mask;
}
