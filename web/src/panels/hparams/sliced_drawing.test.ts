import { afterEach, expect, test, vi } from "vitest";
import { raster } from "./raster";
import { keptRaster, slicedDrawing } from "./sliced_drawing";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Animation frames that the test triggers, and a clock that advances by `tickMs` at each reading. */
function fakeFrames(tickMs: number): { readonly next: () => boolean } {
  let now = 0;
  let waiting: (() => void) | null = null;
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => {
    waiting = frame;
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", () => {
    waiting = null;
  });
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += tickMs;
    return now;
  });
  return {
    next: () => {
      const frame = waiting;
      waiting = null;
      frame?.();
      return frame !== null;
    },
  };
}

function recorded(pieces: number): { readonly drawn: number[]; readonly said: string[]; readonly work: Work } {
  const [drawn, said]: [number[], string[]] = [[], []];
  const work = {
    pieces,
    draw: (piece: number) => void drawn.push(piece),
    show: () => void said.push("show"),
    done: () => void said.push("done"),
  };
  return { drawn, said, work };
}

type Work = Parameters<ReturnType<typeof slicedDrawing>["start"]>[0];

test("what fits into the first slice is drawn at once", () => {
  fakeFrames(0);
  const { drawn, said, work } = recorded(3);
  slicedDrawing().start(work);
  expect(drawn).toEqual([0, 1, 2]);
  expect(said).toEqual(["show", "done"]);
});

test("the rest is drawn in later frames, each piece once", () => {
  const frames = fakeFrames(10);
  const { drawn, said, work } = recorded(4);
  slicedDrawing().start(work);
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.length).toBeLessThan(4);
  expect(said).toEqual(["show"]);
  while (frames.next());
  expect(drawn).toEqual([0, 1, 2, 3]);
  expect(said.at(-1)).toBe("done");
});

test("new work replaces the work before, and stopping ends it", () => {
  const frames = fakeFrames(10);
  const [first, second] = [recorded(9), recorded(9)];
  const drawing = slicedDrawing();
  drawing.start(first.work);
  const before = first.drawn.length;
  drawing.start(second.work);
  frames.next();
  expect(first.drawn.length).toBe(before);
  drawing.stop();
  expect(frames.next()).toBe(false);
  expect(second.said).not.toContain("done");
});

test("nothing to draw is shown and done", () => {
  fakeFrames(0);
  const { said, work } = recorded(0);
  slicedDrawing().start(work);
  expect(said).toEqual(["show", "done"]);
});

test("a raster is kept while its key is the same", () => {
  const kept = keptRaster();
  const list = Int32Array.from([1]);
  const first = kept([1, list], () => raster(2, 2));
  expect(kept([1, list], () => raster(2, 2))).toBe(first);
  expect(kept([1, list, 2], () => raster(2, 2))).not.toBe(first);
  expect(kept([1, Int32Array.from([1])], () => raster(2, 2))).not.toBe(first);
});
