// Tests the shell around the reducer: that effects become requests, timers and signals. series_reducer.test.ts tests
// the transitions.

import { signal } from "@preact/signals";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadSentences } from "./sentences";
import { openSeries } from "./series";
import type { SeriesQuestion } from "./series_plan";

beforeAll(loadSentences);

const QUESTION: SeriesQuestion = {
  tags: ["loss"],
  runs: ["a"],
  allRuns: false,
  x: "step",
  xScale: "linear",
  range: null,
  widthPx: 400,
  smoothing: "",
  rewinds: "board",
  exact: false,
  group: "",
  band: "std",
};

function frameOf(lines: object): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(lines));
  const frame = new ArrayBuffer(8 + text.length);
  new DataView(frame).setUint32(4, text.length, true);
  new Uint8Array(frame, 8).set(text);
  return frame;
}

type Sent = {
  readonly body: { readonly x: string };
  readonly signal: AbortSignal;
  answer: (response: Response) => void;
};

/** A fake server that responds when the test tells it to. */
function serve(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (_: string, init: { body: string; signal: AbortSignal }) => {
    return new Promise<Response>((resolve, reject) => {
      init.signal.addEventListener("abort", () => reject(init.signal.reason));
      sent.push({ body: JSON.parse(init.body), signal: init.signal, answer: resolve });
    });
  });
  return sent;
}

const lines = (version: number): Response =>
  new Response(frameOf({ run: [0], runs: ["a"], version, lo: 0, hi: 1, width: 400 }));

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an answer becomes layers, with the question that they answer", async () => {
  const sent = serve();
  const series = openSeries(signal(QUESTION), () => 0);
  await vi.advanceTimersByTimeAsync(0);
  sent[0]?.answer(lines(7));
  await vi.advanceTimersByTimeAsync(0);
  expect(series.layers.value).toMatchObject([{ lines: { version: 7 }, draft: false }]);
  expect(series.held.value).toBe(QUESTION);
  series.close();
});

test("a slow answer makes the card busy, and a failed one can be retried", async () => {
  const sent = serve();
  const series = openSeries(signal(QUESTION), () => 0);
  await vi.advanceTimersByTimeAsync(500);
  expect(series.busy.value).toBe(true);
  sent[0]?.answer(new Response(JSON.stringify({ error: { message: "no such tag", hint: "" } }), { status: 404 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(series.busy.value).toBe(false);
  expect(series.problem.value).toMatchObject({ message: "no such tag" });
  series.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(2);
  series.close();
});

test("a delayed question is sent once, when its timer elapses", async () => {
  const sent = serve();
  const wanted = signal(QUESTION);
  const series = openSeries(wanted, () => 0);
  await vi.advanceTimersByTimeAsync(0);
  sent[0]?.answer(lines(1));
  await vi.advanceTimersByTimeAsync(0);
  wanted.value = { ...QUESTION, range: [0, 5] };
  await vi.advanceTimersByTimeAsync(60);
  wanted.value = { ...QUESTION, range: [0, 4] };
  await vi.advanceTimersByTimeAsync(100);
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent.map(({ body }) => body)).toMatchObject([{}, { lo: 0, hi: 4 }]);
  series.close();
});

test("what is wanted while a request is in flight is sent after its answer", async () => {
  const sent = serve();
  const wanted = signal(QUESTION);
  const series = openSeries(wanted, () => 0);
  await vi.advanceTimersByTimeAsync(0);
  wanted.value = { ...QUESTION, x: "wall" };
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(1);
  sent[0]?.answer(lines(1));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ body }) => body.x)).toEqual(["step", "wall"]);
  series.close();
});

test("a closed card aborts its request and shows no answer", async () => {
  const sent = serve();
  const series = openSeries(signal(QUESTION), () => 0);
  await vi.advanceTimersByTimeAsync(0);
  series.close();
  expect(sent[0]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(series.layers.value).toEqual([]);
  expect(series.problem.value).toBeNull();
});
