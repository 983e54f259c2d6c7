// The host of the drawing worker: draws when something changed, at most once per animation frame, and does hit tests.
// host_state.ts has its state.

import { type GlPainter, makeGlPainter } from "./gl_painter";
import { firstPace, nextPace, type Pace, strideOf } from "./host_pace";
import { pickPoint, pointsInBox, seenFor } from "./host_picking";
import { applyChange, type Change, newStageState, type Scene, type StageState, sceneOf } from "./host_state";
import type { Look, ToPage, ToWorker } from "./messages";
import { drawOverlay } from "./overlay";
import { drawPoints } from "./painting";
import { makeSeen, type Seen } from "./raster";

export type Surroundings = {
  readonly nextFrame: (callback: () => void) => void;
  readonly now: () => number;
  readonly post: (message: ToPage, transfer?: readonly Transferable[]) => void;
};

const MOST_WANTED = 400;

type Host = {
  readonly surroundings: Surroundings;
  readonly state: StageState;
  /** Visible points of the last drawing. */
  seen: Seen;
  /** Memory for hit tests, which must not overwrite `seen`. */
  spare: Seen;
  pace: Pace;
  /** Null: there is none, or it is lost. Undefined: not initialized yet. */
  gpu: GlPainter | null | undefined;
  /** Number of pictures drawn. */
  frames: number;
  /** An animation frame is requested. */
  due: boolean;
};

export function createHost(surroundings: Surroundings): (message: ToWorker) => void {
  const host: Host = {
    surroundings,
    state: newStageState(),
    seen: makeSeen(0),
    spare: makeSeen(0),
    pace: firstPace(false),
    gpu: undefined,
    frames: 0,
    due: false,
  };
  return (message) => {
    if ("question" in message) answer(host, message);
    else change(host, message);
  };
}

function change(host: Host, message: Change): void {
  const { state } = host;
  const painterBefore = state.look?.painter;
  if (!applyChange(state, message)) return;
  if (message.type === "size") host.pace = { ...host.pace, most: Number.POSITIVE_INFINITY };
  if (painterBefore !== undefined && painterBefore !== state.look?.painter) {
    host.gpu?.close();
    host.gpu = undefined;
    host.pace = { ...firstPace(false), most: host.pace.most };
  }
  schedule(host);
}

function answer(host: Host, message: Extract<ToWorker, { readonly question: number }>): void {
  const { post } = host.surroundings;
  const { question } = message;
  const scene = sceneOf(host.state);
  if (scene !== null) host.spare = seenFor(host.spare, scene);
  switch (message.type) {
    case "pick": {
      const { x, y } = message;
      post({ type: "picked", question, ...(scene === null ? { row: -1, x, y } : pickPoint(scene, host.spare, x, y)) });
      return;
    }
    case "box": {
      const rows = scene === null ? new Uint32Array() : pointsInBox(scene, host.spare, message.box);
      post({ type: "boxed", question, rows }, [rows.buffer]);
      return;
    }
    case "picture":
      void pictureOf(host.state).then((blob) => post({ type: "picture", question, blob }));
      return;
  }
}

async function pictureOf({ canvases }: StageState): Promise<Blob | null> {
  if (canvases === null) return null;
  const both = new OffscreenCanvas(canvases.points.width, canvases.points.height);
  const context = both.getContext("2d");
  if (context === null) return null;
  context.drawImage(canvases.points, 0, 0);
  context.drawImage(canvases.overlay, 0, 0);
  return both.convertToBlob({ type: "image/png" });
}

// ---- drawing

function schedule(host: Host): void {
  if (host.due) return;
  host.due = true;
  host.surroundings.nextFrame(() => {
    host.due = false;
    draw(host);
  });
}

function draw(host: Host): void {
  const { canvases, look, size } = host.state;
  const points = canvases?.points.getContext("2d");
  const overlay = canvases?.overlay.getContext("2d");
  if (!points || !overlay || look === null || size.width === 0) return;
  const begin = host.surroundings.now();
  const scene = sceneOf(host.state);
  if (scene === null) {
    points.fillStyle = look.background;
    points.fillRect(0, 0, size.width, size.height);
    overlay.clearRect(0, 0, size.width, size.height);
    return;
  }
  drawScene(host, scene, points, overlay, begin);
}

type Context = OffscreenCanvasRenderingContext2D;

function drawScene(host: Host, scene: Scene, points: Context, overlay: Context, begin: number): void {
  const { now, post } = host.surroundings;
  const { moving, cloud, look } = scene;
  const total = scene.marks.only?.length ?? cloud.rows;
  host.seen = seenFor(host.seen, scene);
  const stride = moving ? strideOf(host.pace, total) : 1;
  const byGpu = gpuFor(host, look.painter)?.draw(points, scene, host.seen, stride) ?? null;
  const drawn = byGpu ?? drawPoints(points, scene, host.seen, stride);
  const wanted = drawOverlay(overlay, scene, host.seen, host.state.labels);
  const ms = now() - begin;
  if (moving) host.pace = nextPace(host.pace, ms, total, host.gpu?.isBehind() === true);
  host.frames += 1;
  post({
    type: "drawn",
    key: host.state.key,
    points: drawn,
    rows: cloud.rows,
    ms,
    moving,
    frames: host.frames,
    by: byGpu === null ? "processor" : "card",
  });
  if (!moving && wanted.length > 0) post({ type: "wanted", rows: wanted.slice(0, MOST_WANTED) });
}

/** Returns the GPU painter if it should draw; initializes it on first use. */
function gpuFor(host: Host, painter: Look["painter"]): GlPainter | null {
  if (painter === "processor") return null;
  if (host.gpu === undefined) {
    host.gpu = makeGlPainter(painter === "card", () => schedule(host));
    host.pace = firstPace(host.gpu !== null);
  } else if (host.gpu?.isLost()) {
    host.gpu = null;
    host.pace = firstPace(false);
  }
  return host.gpu;
}
