// State of the drawing worker: points, colors, marks, labels and the camera. Each message changes a part of it; the
// painters read it as a `Scene`.

import { decodeFrame } from "../../base/frame";
import type { ProjectorCamera } from "../../state/members/projector";
import { firstCamera, type Lens, lensOf } from "./camera";
import { type Cloud, cloudOf, spread } from "./cloud";
import type { Coloring, Look, Marks, ToWorker } from "./messages";
import type { Labels } from "./overlay";
import { paintOf } from "./painting";

export type Scene = {
  readonly cloud: Cloud;
  readonly lens: Lens;
  readonly look: Look;
  readonly marks: Marks;
  /** 1 for each row that is shown; null: all rows are shown. */
  readonly shown: Uint8Array | null;
  /** The color of each row, packed as RGBA; null: all rows have the same color. */
  readonly colors: Uint32Array | null;
  readonly ratio: number;
  readonly moving: boolean;
  /** Points are drawn as images of this sprite sheet; null: as discs. */
  readonly sprite: { readonly sheet: ImageBitmap; readonly width: number; readonly height: number } | null;
};

export type StageState = {
  /** Both canvases, one above the other; null before the page has sent them. */
  canvases: { readonly points: OffscreenCanvas; readonly overlay: OffscreenCanvas } | null;
  /** Size of the canvases in device pixels; `ratio` device pixels are one CSS pixel. */
  size: { readonly width: number; readonly height: number; readonly ratio: number };
  layout: { readonly coordinates: Float32Array; readonly rows: number; readonly dims: number } | null;
  /** Made from `layout` and the rows of `marks.only`; null if and only if `layout` is null. */
  cloud: Cloud | null;
  /** Identifies the layout in messages to the page. */
  key: string;
  coloring: Coloring;
  /** Made from `coloring`, the number of rows and the plain color of `look`. */
  colors: Uint32Array | null;
  look: Look | null;
  /** Null: the default camera, which depends on the size. */
  camera: ProjectorCamera | null;
  flat: boolean;
  moving: boolean;
  marks: Marks;
  /** A mask of `marks.only`. */
  shown: Uint8Array | null;
  sprite: Scene["sprite"];
  readonly labels: Labels;
};

export function newStageState(): StageState {
  return {
    canvases: null,
    size: { width: 0, height: 0, ratio: 1 },
    layout: null,
    cloud: null,
    key: "",
    coloring: { kind: "none" },
    colors: null,
    look: null,
    camera: null,
    flat: false,
    moving: false,
    marks: { selected: new Uint32Array(), neighbors: new Uint32Array(), hovered: -1, only: null },
    shown: null,
    sprite: null,
    labels: { texts: new Map() },
  };
}

/** Returns null while there is nothing to draw. */
export function sceneOf(state: StageState): Scene | null {
  const { cloud, look, marks, shown, colors, size, camera, flat, moving } = state;
  if (cloud === null || look === null || size.width === 0 || size.height === 0) return null;
  const eye = camera ?? firstCamera(flat, size.width / size.height);
  const lens = lensOf(eye, size.width, size.height, flat);
  const sprite = look.images ? state.sprite : null;
  return { cloud, lens, look, marks, shown, colors, ratio: size.ratio, moving, sprite };
}

type Message<Type extends ToWorker["type"]> = Extract<ToWorker, { readonly type: Type }>;

export type Change = Exclude<ToWorker, { readonly question: number }>;

/** Returns false if nothing changed. */
export function applyChange(state: StageState, message: Change): boolean {
  switch (message.type) {
    case "canvas":
      state.canvases = { points: message.points, overlay: message.overlay };
      resize(state);
      break;
    case "size":
      state.size = { width: message.width, height: message.height, ratio: message.ratio };
      resize(state);
      break;
    case "layout":
      return putLayout(state, message);
    case "clear":
      state.cloud = null;
      state.layout = null;
      state.key = "";
      state.labels.texts.clear();
      break;
    case "colors":
      state.coloring = message.coloring;
      paint(state);
      break;
    case "look":
      putLook(state, message.look);
      break;
    case "camera":
      state.camera = message.camera;
      state.flat = message.flat;
      state.moving = message.moving;
      break;
    case "marks":
      putMarks(state, message.marks);
      break;
    case "labels":
      if (message.fresh) state.labels.texts.clear();
      for (const [row, text] of message.texts) state.labels.texts.set(row, text);
      break;
    case "sprite":
      state.sprite?.sheet.close();
      state.sprite = message.sheet === null ? null : { ...message, sheet: message.sheet };
      break;
  }
  return true;
}

function resize({ canvases, size }: StageState): void {
  if (canvases === null || size.width === 0) return;
  for (const canvas of [canvases.points, canvases.overlay]) {
    if (canvas.width !== size.width) canvas.width = size.width;
    if (canvas.height !== size.height) canvas.height = size.height;
  }
}

function putLayout(state: StageState, { frame, rows, total, key }: Message<"layout">): boolean {
  const { header, arrays } = decodeFrame<{ readonly rows: number }>(frame);
  const coordinates = arrays.get("coordinates");
  if (!(coordinates instanceof Float32Array) || coordinates.length === 0) return false;
  const before = state.cloud?.rows;
  const dims = coordinates.length / header.rows;
  state.layout =
    rows === null
      ? { coordinates, rows: header.rows, dims }
      : { coordinates: spread(coordinates, dims, rows, total), rows: total, dims };
  const cloud = cloudOf(state.layout.coordinates, state.layout.rows, state.layout.dims, state.marks.only);
  state.cloud = cloud;
  state.key = key;
  if (before !== cloud.rows || state.colors === null) paint(state);
  return true;
}

function putLook(state: StageState, look: Look): void {
  const plainChanged = state.look?.plain !== look.plain;
  state.look = look;
  if (plainChanged) paint(state);
}

function putMarks(state: StageState, marks: Marks): void {
  const same = sameRows(state.marks.only, marks.only);
  const only = same ? state.marks.only : marks.only;
  state.marks = { ...marks, only };
  if (same) return;
  const { layout } = state;
  state.shown = only === null ? null : maskOf(only);
  if (layout !== null) state.cloud = cloudOf(layout.coordinates, layout.rows, layout.dims, only);
}

function paint(state: StageState): void {
  const { cloud, coloring, look } = state;
  state.colors = cloud === null ? null : paintOf(coloring, cloud.rows, look?.plain ?? "#888888");
}

function sameRows(one: Uint32Array | null, other: Uint32Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((row, at) => row === other[at]);
}

function maskOf(rows: Uint32Array): Uint8Array {
  const mask = new Uint8Array((rows.at(-1) ?? -1) + 1);
  for (const row of rows) mask[row] = 1;
  return mask;
}
