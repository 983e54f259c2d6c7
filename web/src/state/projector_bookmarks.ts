// Bookmarks: named views of the projector. The file format is that of TensorBoard's projector, with an extra field for
// the URL of our view.

import { effect, signal } from "@preact/signals";
import { fetchBookmarks } from "../api/client";
import { PROJECTOR_METHODS, type ProjectorCamera } from "./members/projector";
import { embedding, embeddingKey } from "./projector";
import { formatRows, parseRows } from "./projector_rows";
import { changeView, formatAddress, parseAddress, type View, view } from "./view";

export type Bookmark = {
  readonly id: number;
  readonly label: string;
  /** Members of the view that the bookmark sets. */
  readonly view: Partial<View>;
  /** It was logged with the run. */
  readonly preloaded: boolean;
};

export const bookmarks = signal<readonly Bookmark[]>([]);

/** TensorBoard does not show more. */
const MOST_ROWS = 100_000;

let lastId = 0;

const nextId = (): number => {
  lastId += 1;
  return lastId;
};

const ofProjector = (value: View): Partial<View> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith("projector")));

export function addBookmark(label: string): void {
  const { run, name } = embedding.peek() ?? { run: "", name: "" };
  const kept = { ...ofProjector(view.peek()), projectorRun: run, projectorTensor: name };
  bookmarks.value = [...bookmarks.peek(), { id: nextId(), label, view: kept, preloaded: false }];
}

export function openBookmark(bookmark: Bookmark): void {
  changeView(bookmark.view, { apart: true, entry: true });
}

export function removeBookmark(id: number): void {
  bookmarks.value = bookmarks.peek().filter((one) => one.id !== id);
}

export function renameBookmark(id: number, label: string): void {
  bookmarks.value = bookmarks.peek().map((one) => (one.id === id ? { ...one, label } : one));
}

export function putBookmarks(parsed: readonly Omit<Bookmark, "id">[]): void {
  bookmarks.value = [...bookmarks.peek(), ...parsed.map((one) => ({ ...one, id: nextId() }))];
}

// ---- files

/** A state of TensorBoard's projector; only the members that are used here. */
type TheirState = {
  readonly label?: unknown;
  readonly selectedProjection?: unknown;
  readonly pcaComponentDimensions?: unknown;
  readonly tSNEis3d?: unknown;
  readonly umapIs3d?: unknown;
  readonly umapNeighbors?: unknown;
  readonly tSNEPerplexity?: unknown;
  readonly tSNELearningRate?: unknown;
  readonly selectedPoints?: unknown;
  readonly filteredPoints?: unknown;
  readonly selectedColorOptionName?: unknown;
  readonly selectedLabelOption?: unknown;
  readonly cameraDef?: unknown;
  readonly customSelectedSearchByMetadataOption?: unknown;
  readonly customXLeftText?: unknown;
  readonly customXRightText?: unknown;
  readonly customYUpText?: unknown;
  readonly customYDownText?: unknown;
  /** Our extra field: the URL. */
  readonly lightboard?: unknown;
};

/** Returns null if the text has no bookmarks. */
export function parseBookmarks(text: string): readonly Omit<Bookmark, "id">[] | null {
  try {
    return bookmarksIn(JSON.parse(text), false);
  } catch {
    return null;
  }
}

export function bookmarksIn(value: unknown, preloaded: boolean): readonly Omit<Bookmark, "id">[] | null {
  if (!Array.isArray(value)) return null;
  const parsed = value.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const state = one as TheirState;
    const label = typeof state.label === "string" ? state.label : "";
    if (typeof state.lightboard === "string" && state.lightboard.startsWith("#projector")) {
      return [{ label, view: ofProjector(parseAddress("", state.lightboard)), preloaded }];
    }
    if (state.selectedProjection === undefined && state.cameraDef === undefined) return [];
    return [{ label, view: viewOf(state), preloaded }];
  });
  return parsed.length === 0 && value.length > 0 ? null : parsed;
}

function viewOf(state: TheirState): Partial<View> {
  const made: { -readonly [K in keyof View]?: View[K] } = { projectorPoint: -1, projectorSearch: "" };
  const method = PROJECTOR_METHODS.find((one) => one === state.selectedProjection);
  if (method !== undefined) made.projectorMethod = method;
  const flat =
    (method === "tsne" && state.tSNEis3d === false) ||
    (method === "umap" && state.umapIs3d === false) ||
    (method === "pca" && Array.isArray(state.pcaComponentDimensions) && state.pcaComponentDimensions.length === 2);
  made.projectorDims = flat ? 2 : 3;
  const components = numbersIn(state.pcaComponentDimensions);
  if (components.length >= 2) made.projectorComponents = components.slice(0, 3).map((at) => Math.min(9, at));
  if (typeof state.umapNeighbors === "number") made.projectorNeighbors = state.umapNeighbors;
  if (typeof state.tSNEPerplexity === "number") made.projectorPerplexity = state.tSNEPerplexity;
  const rows = (value: unknown): string => formatRows(Uint32Array.from(new Set(numbersIn(value))).sort());
  made.projectorSelected = rows(state.selectedPoints);
  const shown = rows(state.filteredPoints);
  made.projectorOnly = shown === "" ? [] : [{ kind: "rows", rows: shown }];
  const texts = (name: keyof TheirState): string => (typeof state[name] === "string" ? state[name] : "");
  made.projectorColorBy = texts("selectedColorOptionName");
  made.projectorLabelBy = texts("selectedLabelOption");
  if (method === "custom") {
    made.projectorAxes = {
      by: texts("customSelectedSearchByMetadataOption"),
      left: texts("customXLeftText"),
      right: texts("customXRightText"),
      up: texts("customYUpText"),
      down: texts("customYDownText"),
    };
  }
  made.projectorCamera = cameraIn(state.cameraDef);
  return made;
}

function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((one): one is number => Number.isInteger(one) && one >= 0) : [];
}

/** Converts TensorBoard's camera, which has an eye position and a target, in a space as wide as ours. */
export function cameraIn(value: unknown): ProjectorCamera | null {
  if (typeof value !== "object" || value === null) return null;
  const { position, target, orthographic } = value as Record<string, unknown>;
  const [eye, at] = [placeIn(position), placeIn(target)];
  if (eye === null || at === null || orthographic === true) return null;
  const [dx, dy, dz] = [eye[0] - at[0], eye[1] - at[1], eye[2] - at[2]];
  const length = Math.hypot(dx, dy, dz);
  if (!(length > 0)) return null;
  const phi = Math.min(Math.PI - 1e-3, Math.max(1e-3, Math.acos(dy / length)));
  return { theta: Math.atan2(dx, dz), phi, x: at[0], y: at[1], z: at[2], distance: Math.max(0.05, 1.6 * length) };
}

/** Converts our camera to TensorBoard's. */
function cameraOut(camera: ProjectorCamera, dims: number): Readonly<Record<string, unknown>> {
  const { theta, phi, x, y, z } = camera;
  const length = camera.distance / 1.6;
  const [sp, cp] = [Math.sin(phi), Math.cos(phi)];
  const position = [x + length * sp * Math.sin(theta), y + length * cp, z + length * sp * Math.cos(theta)];
  return { orthographic: dims < 3, position, target: [x, y, z], zoom: 1 };
}

function placeIn(value: unknown): readonly [number, number, number] | null {
  const numbers = Array.isArray(value)
    ? value
    : typeof value === "object" && value !== null
      ? ["x", "y", "z"].map((axis) => (value as Record<string, unknown>)[axis])
      : [];
  const [x, y, z] = numbers.map(Number);
  return [x, y, z].every((one) => Number.isFinite(one)) ? [x ?? 0, y ?? 0, z ?? 0] : null;
}

export function bookmarksFile(): string {
  const states = bookmarks.peek().map(({ label, view: kept }) => {
    const whole = { ...parseAddress("", "#projector?"), ...kept, page: "projector" };
    return {
      label,
      selectedProjection: whole.projectorMethod,
      pcaComponentDimensions: whole.projectorComponents.slice(0, whole.projectorDims),
      tSNEis3d: whole.projectorDims === 3,
      umapIs3d: whole.projectorDims === 3,
      umapNeighbors: whole.projectorNeighbors,
      tSNEPerplexity: whole.projectorPerplexity,
      selectedColorOptionName: whole.projectorColorBy,
      selectedLabelOption: whole.projectorLabelBy,
      selectedPoints: Array.from(parseRows(whole.projectorSelected, MOST_ROWS)),
      // TensorBoard computes the positions of points itself
      projections: [],
      ...(whole.projectorCamera === null ? {} : { cameraDef: cameraOut(whole.projectorCamera, whole.projectorDims) }),
      lightboard: formatAddress(whole),
    };
  });
  return JSON.stringify(states, null, 1);
}

// ---- those of the run

/** Loads the bookmarks of each shown embedding. Returns a function that stops. */
export function followBookmarks(): () => void {
  const asked = new Set<string>();
  return effect(() => {
    const of = embedding.value;
    const key = embeddingKey.value;
    if (of === null || !of.bookmarks || asked.has(key)) return;
    asked.add(key);
    const { run, name } = of;
    fetchBookmarks({ run, name }).then(
      (value) => {
        const parsed = bookmarksIn(value, true) ?? [];
        const known = new Set(bookmarks.peek().flatMap((one) => (one.preloaded ? [JSON.stringify(one.view)] : [])));
        const own = parsed.map((one) => ({ ...one, view: { ...one.view, projectorRun: run, projectorTensor: name } }));
        putBookmarks(own.filter((one) => !known.has(JSON.stringify(one.view))));
      },
      // errors are ignored: bookmarks are optional
      () => {},
    );
  });
}
