// The camera of the displayed graph: moved by the user, kept when the drawing changes, written to the address and read
// from it, so that a reload, the back button and a link show the same part at the same scale.

import { effect, signal } from "@preact/signals";
import { coalesced } from "../../base/newest";
import type { GraphsCamera } from "../../state/members/graphs";
import { changeView, member } from "../../state/view";
import { type Camera, centered, clamp, firstSight, fitArea, kept, showing, sightOf, type Window } from "./camera";
import type { Scene } from "./model/scene";

export const camera = signal<Camera>({ x: 0, y: 0, scale: 1 });
export const frame = signal<Window>({ widthPx: 0, heightPx: 0 });

const inView = member("graphsCamera");
const chosen = member("graphsNode");

/** The displayed scene; null: none yet. */
let scene: Scene | null = null;
let chosenBox = -1;
/** The camera last read from or written to the address; another value there was not written by this module. */
let known: GraphsCamera | null = null;
/** The address has a new camera that is not applied yet, because its drawing may not be ready. */
let due = false;
/** Paths: the box that keeps its position in the next drawing, and the box that the camera moves to. */
let anchor = "";
let target = "";

/** Counts drawings: the default camera may change with each. */
const placed = signal(0);

// debounce: panning changes the camera sixty times a second
const ADDRESS_AFTER_MS = 200;

/** Resets for another graph: its camera is the one in the address, or fits the graph. */
export function forgetSight(): void {
  scene = null;
  chosenBox = -1;
}

/** Keeps camera and address in sync; returns a function that stops this. `arranging`: another drawing is pending. */
export function followSight(arranging: () => boolean): () => void {
  known = inView.peek();
  const stopHearing = effect(() => {
    const wanted = inView.value;
    if (same(wanted, known)) return;
    known = wanted;
    due = true;
    // after a timeout all other effects have seen the address, and `arranging` says whether the drawing changes, too
    setTimeout(() => {
      if (due && !arranging()) goWhereAddressSays();
    });
  });
  const soon = coalesced(tell, ADDRESS_AFTER_MS);
  const stopTelling = effect(() => {
    void camera.value;
    void placed.value;
    soon();
  });
  return () => {
    tell();
    stopHearing();
    stopTelling();
    forgetSight();
  };
}

function tell(): void {
  if (scene === null || due || frame.peek().widthPx === 0) return;
  const now = sightOf(camera.peek(), frame.peek());
  const next = same(now, sightOf(defaultCamera(scene), frame.peek())) ? null : now;
  if (same(next, known)) return;
  known = next;
  // not a step of its own in the undo history: undoing another step restores the camera, too
  changeView({ graphsCamera: next }, { step: false });
}

function same(one: GraphsCamera | null, other: GraphsCamera | null): boolean {
  if (one === null || other === null) return one === other;
  return one.x === other.x && one.y === other.y && one.scale === other.scale;
}

/** Returns the camera if the address has none: the whole graph, or its top, with the selected node visible. */
function defaultCamera(now: Scene): Camera {
  const first = firstSight(now, frame.peek());
  const area = areaOf(now, chosenBox);
  return area === null ? first : showing(first, area, frame.peek());
}

function goWhereAddressSays(): void {
  due = false;
  const window = frame.peek();
  if (scene === null || window.widthPx === 0) return;
  camera.value = known === null ? defaultCamera(scene) : kept(fromAddress(known, window), scene, window);
}

function fromAddress({ x, y, scale }: GraphsCamera, window: Window): Camera {
  return centered(x, y, clamp(scale), window);
}

/** Sets a new drawing; the node that the user opened or closed keeps its position on the screen. */
export function place(now: Scene, box: number): void {
  const before = scene;
  scene = now;
  chosenBox = box;
  placed.value += 1;
  if (before === null || due) goWhereAddressSays();
  else if (before !== now) keepStill(before, now);
  anchor = "";
  if (target === "") return;
  const wanted = now.path.indexOf(target);
  lookAt(now, wanted >= 0 ? wanted : box);
  target = "";
}

function keepStill(before: Scene, now: Scene): void {
  const path = [anchor, chosen.peek()].find((one) => one !== "" && before.path.includes(one) && now.path.includes(one));
  const [was, is] = path === undefined ? [-1, -1] : [before.path.indexOf(path), now.path.indexOf(path)];
  const [dx, dy] =
    was < 0 || is < 0 ? [0, 0] : [middle(now, is) - middle(before, was), (now.y[is] ?? 0) - (before.y[was] ?? 0)];
  const { x, y, scale } = camera.peek();
  camera.value = kept({ x: x + dx, y: y + dy, scale }, now, frame.peek());
}

function middle({ x, w }: Scene, box: number): number {
  return (x[box] ?? 0) + (w[box] ?? 0) / 2;
}

function areaOf({ x, y, w, h }: Scene, box: number) {
  return box < 0 ? null : { x: x[box] ?? 0, y: y[box] ?? 0, w: w[box] ?? 0, h: h[box] ?? 0 };
}

export function holdStill(path: string): void {
  anchor = path;
}

/** Sets the box that the camera moves to in the next drawing; "": none. */
export function lookNextAt(path: string): void {
  target = path;
}

export function lookAt(now: Scene, box: number): void {
  const area = areaOf(now, box);
  if (area !== null) camera.value = showing(camera.peek(), area, frame.peek());
}

export function moveCamera(change: (camera: Camera) => Camera): void {
  const next = change(camera.peek());
  camera.value = scene === null ? next : kept(next, scene, frame.peek());
}

export function fitAll(): void {
  if (scene !== null) camera.value = fitArea({ x: 0, y: 0, w: scene.width, h: scene.height }, frame.peek());
}

/** Called after a resize: the center stays the center; a graph with the default camera is fitted again. */
export function resize(window: Window): void {
  const before = frame.peek();
  if (before.widthPx === window.widthPx && before.heightPx === window.heightPx) return;
  tell();
  frame.value = window;
  if (scene === null || window.widthPx === 0) return;
  if (before.widthPx === 0 || known === null) goWhereAddressSays();
  else {
    const { x, y, scale } = camera.peek();
    const [dx, dy] = [window.widthPx - before.widthPx, window.heightPx - before.heightPx];
    camera.value = { scale, x: x - dx / 2 / scale, y: y - dy / 2 / scale };
  }
}
