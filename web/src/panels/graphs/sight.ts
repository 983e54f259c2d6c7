// Where one looks from while a graph is shown: moved by the reader, kept when the drawing changes, put into the address and
// taken from it, so that a reload, the back button and a link show the same part in the same size.

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

/** What is on display; null: nothing yet. */
let scene: Scene | null = null;
let chosenBox = -1;
/** What the address says as far as is known here: anything else came from outside. */
let known: GraphsCamera | null = null;
/** The address said something else, and the drawing it belongs to is not there yet. */
let due = false;
/** Paths: the box that stays where it is in the next drawing, and the one to look at in it. */
let anchor = "";
let target = "";

/** Counts drawings: the default camera may change with each. */
const placed = signal(0);

// a pan changes it sixty times a second
const ADDRESS_AFTER_MS = 200;

/** Another graph: its camera is the one in the address, or fits it. */
export function forgetSight(): void {
  scene = null;
  chosenBox = -1;
}

/** Keep sight and address equal; the answer stops. `arranging`: another drawing, perhaps of another graph, is on its way. */
export function followSight(arranging: () => boolean): () => void {
  known = inView.peek();
  const stopHearing = effect(() => {
    const wanted = inView.value;
    if (same(wanted, known)) return;
    known = wanted;
    due = true;
    // whether this also changes the drawing is known when everything that follows the address has heard of it
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
  // going back undoes what was done; where one looked from then comes along
  changeView({ graphsCamera: next }, { step: false });
}

function same(one: GraphsCamera | null, other: GraphsCamera | null): boolean {
  if (one === null || other === null) return one === other;
  return one.x === other.x && one.y === other.y && one.scale === other.scale;
}

/** Without a camera in the address: all of the graph, or its beginning and the chosen node. */
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

/** A new drawing: the node that the reader touched stays in place while everything else makes room. */
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

/** "": at nothing. */
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

/** The window was resized: its middle stays the middle; a graph that was not moved is fitted again. */
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
