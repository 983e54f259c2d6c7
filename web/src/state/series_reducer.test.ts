// Tests every event of the lines of a card, in the states in which it matters. series.test.ts tests timers and requests
// (state/series.ts), series_plan.test.ts what to request.

import { expect, test } from "vitest";
import type { Change, Lines } from "../api/client";
import type { SeriesQuestion } from "./series_plan";
import {
  affects,
  type Context,
  type Effect,
  FIRST_STATE,
  isCoarse,
  type SeriesEvent,
  type SeriesState,
  step,
} from "./series_reducer";

const QUESTION: SeriesQuestion = {
  tags: ["loss"],
  runs: ["a"],
  allRuns: false,
  x: "metric:epoch",
  xScale: "linear",
  range: null,
  widthPx: 400,
  smoothing: "",
  rewinds: "board",
  exact: false,
  group: "",
  band: "std",
};

function change(runs: readonly string[] | "all", scalars: readonly string[] | "all" | undefined, version = 1): Change {
  return { session: "s", version, runs, tags: scalars === undefined ? {} : { scalars } } as unknown as Change;
}

/** A card in a fake environment: the test sets what it wants, the time, and the session of the server. */
function card(wanted: SeriesQuestion | null = QUESTION) {
  let layer = 0;
  return {
    state: FIRST_STATE as SeriesState,
    context: { wanted, now: 1000, session: "s" } as Context,
    send(event: SeriesEvent): readonly Effect[] {
      const { state, effects } = step(this.state, event, this.context);
      this.state = state;
      return effects;
    },
    wants(next: Partial<SeriesQuestion> | null): readonly Effect[] {
      this.context = {
        ...this.context,
        wanted: next === null ? null : { ...(this.context.wanted ?? QUESTION), ...next },
      };
      return this.send({ type: "wanted" });
    },
    /** Responds to the request in flight; returns the effects after publishing. */
    answer(lines: Partial<Lines> = {}): readonly Effect[] {
      const all = { run: [0], runs: ["a"], version: 1, lo: 0, hi: 10, width: 400, ...lines } as unknown as Lines;
      const request = this.state.request?.id ?? -1;
      this.send({ type: "answered", request, layer: { id: ++layer, lines: all, buffer: new ArrayBuffer(0) } });
      return this.send({ type: "published" });
    },
  };
}

/** Shows the lines of QUESTION, idle. */
function loaded(wanted: Partial<SeriesQuestion> = {}) {
  const one = card({ ...QUESTION, ...wanted });
  one.send({ type: "wanted" });
  one.answer();
  return one;
}

const kinds = (effects: readonly Effect[]): readonly string[] =>
  effects.map((one) => ("timer" in one ? `${one.type} ${one.timer}` : one.type));

const sent = (effects: readonly Effect[]) =>
  effects.find((one): one is Extract<Effect, { type: "send" }> => one.type === "send");

// ---- wanted

test("a card that wants nothing sends nothing", () => {
  const one = card(null);
  expect(one.send({ type: "wanted" })).toEqual([]);
  expect(one.state).toEqual(FIRST_STATE);
});

test("the first question is sent whole, by urgency", () => {
  const one = card();
  const effects = one.send({ type: "wanted" });
  expect(kinds(effects)).toEqual(["start busy", "send"]);
  expect(sent(effects)).toMatchObject({ by: "queue", body: { tag: ["loss"], run: ["a"], width: 400 } });
  expect(one.state.request).toMatchObject({ question: QUESTION, session: "s" });
});

test("runs are not named when all are wanted", () => {
  expect(sent(card({ ...QUESTION, allRuns: true }).send({ type: "wanted" }))?.body).not.toHaveProperty("run");
});

test("settings that differ from the server's defaults are in the body", () => {
  const wanted: SeriesQuestion = {
    ...QUESTION,
    xScale: "log",
    range: [1, 5],
    smoothing: "ema:0.6",
    rewinds: "all",
    exact: true,
    group: "lr",
    band: "minmax",
  };
  expect(sent(card(wanted).send({ type: "wanted" }))?.body).toMatchObject({
    x_scale: "log",
    lo: 1,
    hi: 5,
    smoothing: "ema:0.6",
    rewinds: "all",
    encoding: "exact",
    group: "lr",
    band: "minmax",
  });
});

test("the same question is not sent twice", () => {
  const one = card();
  one.send({ type: "wanted" });
  expect(one.send({ type: "wanted" })).toEqual([]);
});

test("a question that is answered already stops what was delayed", () => {
  const one = loaded();
  expect(kinds(one.wants({ range: [0, 5] }))).toEqual(["start pause"]);
  expect(kinds(one.wants({ range: null }))).toEqual(["stop pause"]);
  expect(one.state).toMatchObject({ paused: null, waitingSince: null, request: null });
});

test("a request that nobody wants any more is canceled", () => {
  const one = loaded();
  one.wants({ x: "step" });
  const { request } = one.state;
  const effects = one.wants({ x: QUESTION.x });
  expect(effects).toContainEqual({ type: "cancel", id: request?.id });
  expect(one.state.request).toBeNull();
});

test("a question of the same kind waits for the request in flight", () => {
  const one = loaded({ smoothing: "ema:0.1" });
  one.wants({ smoothing: "ema:0.2" });
  expect(one.wants({ smoothing: "ema:0.3" })).toEqual([]);
  const next = sent(one.answer());
  expect(next?.body).toMatchObject({ smoothing: "ema:0.3", draft: true });
});

test("a question of another kind cancels the request in flight", () => {
  const one = loaded({ smoothing: "ema:0.1" });
  one.wants({ smoothing: "ema:0.2" });
  const effects = one.wants({ x: "step" });
  expect(kinds(effects)).toEqual(["stop busy", "cancel", "start busy", "send"]);
  expect(sent(effects)?.body).toMatchObject({ x: "step" });
});

test("a card without runs forgets its lines and its request", () => {
  const one = loaded();
  one.wants({ x: "step" });
  expect(kinds(one.wants({ runs: [] }))).toContain("cancel");
  expect(one.state).toMatchObject({ layers: [], held: null, problem: null, request: null });
});

// ---- delays

test("a zoom is sent when the reader pauses", () => {
  const one = loaded();
  expect(one.wants({ range: [0, 5] })).toEqual([{ type: "start", timer: "pause", ms: 120 }]);
  const effects = one.send({ type: "elapsed", timer: "pause" });
  expect(sent(effects)?.body).toMatchObject({ lo: 0, hi: 5 });
  expect(one.state).toMatchObject({ paused: null, waitingSince: null });
});

test("a gesture without a pause is answered after 900 ms", () => {
  const one = loaded();
  one.wants({ range: [0, 5] });
  one.context = { ...one.context, now: 1850 };
  expect(one.wants({ range: [0, 4] })).toEqual([{ type: "start", timer: "pause", ms: 50 }]);
});

test("a pause that elapses when nothing is wanted, or twice, sends nothing", () => {
  const one = loaded();
  one.wants({ range: [0, 5] });
  one.context = { ...one.context, wanted: null };
  expect(one.send({ type: "elapsed", timer: "pause" })).toEqual([]);
  expect(one.send({ type: "elapsed", timer: "pause" })).toEqual([]);
});

test("a slow request shows that the card is busy until it is over", () => {
  const one = card();
  one.send({ type: "wanted" });
  one.send({ type: "elapsed", timer: "busy" });
  expect(one.state.busy).toBe(true);
  one.answer();
  expect(one.state.busy).toBe(false);
});

// ---- responses

test("a whole answer replaces all layers", () => {
  const one = loaded();
  one.wants({ x: "step" });
  one.answer();
  expect(one.state.layers).toMatchObject([{ id: 2, part: undefined, draft: false }]);
  expect(one.state.held).toMatchObject({ x: "step" });
});

test("a smoothing draft is drawn over the raw lines, and the exact one replaces it", () => {
  const one = loaded({ smoothing: "ema:0.1" });
  const draft = one.wants({ smoothing: "ema:0.2" });
  expect(sent(draft)).toMatchObject({ by: "batch", body: { raw: false, draft: true, lo: 0, hi: 10, width: 400 } });
  expect(one.answer()).toEqual([{ type: "start", timer: "pause", ms: 250 }]);
  expect(one.state.layers).toMatchObject([
    { id: 1, part: "raw" },
    { id: 2, part: "smoothed", draft: true },
  ]);
  const exact = one.send({ type: "elapsed", timer: "pause" });
  expect(sent(exact)).toMatchObject({ by: "slow batch", body: { raw: false } });
  expect(sent(exact)?.body).not.toHaveProperty("draft");
  expect(one.answer()).toEqual([]);
  expect(one.state.layers).toMatchObject([
    { id: 1, part: "raw" },
    { id: 3, part: "smoothed", draft: false },
  ]);
});

test("a slider that moves on cancels the exact smoothing in flight", () => {
  const one = loaded({ smoothing: "ema:0.1" });
  one.wants({ smoothing: "ema:0.2" });
  one.answer();
  one.send({ type: "elapsed", timer: "pause" });
  const effects = one.wants({ smoothing: "ema:0.3" });
  expect(kinds(effects)).toContain("cancel");
  expect(sent(effects)?.by).toBe("batch");
});

test("drafts of many lines have half the columns", () => {
  const many = Array.from({ length: 49 }, (_, i) => i);
  const one = card({ ...QUESTION, smoothing: "ema:0.1" });
  one.send({ type: "wanted" });
  one.answer({ run: many, width: 401 });
  expect(sent(one.wants({ smoothing: "ema:0.2" }))?.body).toMatchObject({ width: 201, draft: true });
  one.answer({ run: many });
  expect(one.state.layers.map(isCoarse)).toEqual([false, true]);
});

test("drafts of an empty stretch are requested without a width of their own", () => {
  const one = card({ ...QUESTION, smoothing: "ema:0.1" });
  one.send({ type: "wanted" });
  one.answer({ lo: null, hi: null } as Partial<Lines>);
  const body = sent(one.wants({ smoothing: "ema:0.2" }))?.body;
  expect(body).toMatchObject({ raw: false, width: 400 });
  expect(body).not.toHaveProperty("draft");
});

test("a run that is switched on is added, and everything is read again a second later", () => {
  const one = loaded();
  const effects = one.wants({ runs: ["a", "b"] });
  expect(sent(effects)).toMatchObject({ by: "batch", body: { run: ["b"], lo: 0, hi: 10, width: 400 } });
  expect(one.answer()).toEqual([{ type: "start", timer: "pause", ms: 1000 }]);
  expect(one.state.layers.map(({ id }) => id)).toEqual([1, 2]);
  expect(one.state.patched).toBe(true);
  expect(sent(one.send({ type: "elapsed", timer: "pause" }))?.by).toBe("queue");
  one.answer();
  expect(one.state).toMatchObject({ patched: false, layers: [{ id: 3 }] });
});

test("smoothing does not end that runs were added", () => {
  const one = loaded({ smoothing: "ema:0.1" });
  one.wants({ runs: ["a", "b"] });
  one.answer();
  one.wants({ smoothing: "ema:0.2" });
  one.answer();
  expect(one.state.patched).toBe(true);
});

test("the answer to a canceled request is ignored, and so is its failure", () => {
  const one = loaded();
  one.wants({ x: "step" });
  const canceled = one.state.request?.id ?? -1;
  one.wants({ x: QUESTION.x });
  const before = one.state;
  const layer = { id: 9, lines: {} as Lines, buffer: new ArrayBuffer(0) };
  expect(one.send({ type: "answered", request: canceled, layer })).toEqual([]);
  const problem = { kind: "other", message: "late", hint: "" } as const;
  expect(one.send({ type: "failed", request: canceled, problem })).toEqual([]);
  expect(one.state).toBe(before);
});

// ---- failures

const PROBLEM = { kind: "unreachable", message: "no server", hint: "" } as const;

test("a failure is shown and the lines stay", () => {
  const one = loaded();
  one.wants({ x: "step" });
  expect(kinds(one.send({ type: "failed", request: one.state.request?.id ?? -1, problem: PROBLEM }))).toEqual([
    "stop busy",
  ]);
  expect(one.state).toMatchObject({ problem: PROBLEM, request: null, busy: false, layers: [{ id: 1 }] });
});

test("lines do not stay in place of an answer that a snapshot does not have", () => {
  const one = loaded();
  one.wants({ x: "step" });
  const problem = { kind: "absent", message: "not in this snapshot", hint: "" } as const;
  one.send({ type: "failed", request: one.state.request?.id ?? -1, problem });
  expect(one.state).toMatchObject({ problem, request: null, layers: [], held: null });
});

test("a retry sends the question again, and its answer ends the problem", () => {
  const one = card();
  one.send({ type: "wanted" });
  one.send({ type: "failed", request: 1, problem: PROBLEM });
  expect(sent(one.send({ type: "retry" }))).toMatchObject({ id: 2, by: "queue" });
  expect(one.state.problem).toBeNull();
  expect(one.send({ type: "retry" })).toEqual([]);
});

// ---- the board grows

test("a change that touches the lines is read at most once a second", () => {
  const one = loaded();
  one.context = { ...one.context, now: 1300 };
  expect(one.send({ type: "changed", change: change(["a"], ["loss"], 2) })).toEqual([
    { type: "start", timer: "live", ms: 700 },
  ]);
  expect(one.send({ type: "changed", change: change(["a"], ["loss"], 3) })).toEqual([]);
  expect(one.state.due).toEqual({ session: "s", version: 3 });
  expect(sent(one.send({ type: "elapsed", timer: "live" }))?.by).toBe("queue");
  expect(one.state).toMatchObject({ due: null, liveTimer: false });
});

test("a change that is in the lines already is not read again", () => {
  const one = loaded();
  expect(one.send({ type: "changed", change: change(["a"], ["loss"], 1) })).toEqual([]);
  expect(one.state.due).toBeNull();
});

test("versions of another session of the server say nothing", () => {
  const one = loaded();
  const restarted = { ...change(["a"], ["loss"], 1), session: "t" };
  expect(kinds(one.send({ type: "changed", change: restarted }))).toEqual(["start live"]);
});

test("a change during a request is compared with its answer", () => {
  const one = loaded();
  one.wants({ x: "step" });
  expect(one.send({ type: "changed", change: change(["a"], ["loss"], 5) })).toEqual([]);
  expect(kinds(one.answer({ version: 4 }))).toEqual(["start live"]);
});

test("a change of other lines, or for a card that wants nothing, is ignored", () => {
  const one = loaded();
  expect(one.send({ type: "changed", change: change(["b"], ["loss"], 9) })).toEqual([]);
  one.context = { ...one.context, wanted: null };
  expect(one.send({ type: "changed", change: change(["a"], ["loss"], 9) })).toEqual([]);
  expect(one.state.due).toBeNull();
});

test("a live update waits for the request in flight and stays due", () => {
  const one = loaded();
  one.send({ type: "changed", change: change(["a"], ["loss"], 2) });
  one.wants({ x: "step" });
  expect(one.send({ type: "elapsed", timer: "live" })).toEqual([]);
  expect(one.state).toMatchObject({ liveTimer: false, due: { version: 2 } });
});

// ---- the end

test("a closed card stops its timers, cancels its request and ignores every event", () => {
  const one = loaded();
  one.send({ type: "changed", change: change(["a"], ["loss"], 2) });
  one.wants({ x: "step" });
  expect(kinds(one.send({ type: "close" }))).toEqual(["stop busy", "cancel", "stop live"]);
  const before = one.state;
  one.wants({ x: "wall" });
  one.send({ type: "elapsed", timer: "live" });
  one.send({ type: "retry" });
  expect(one.state).toBe(before);
});

test("a card looks again only when its own lines may have grown", () => {
  expect(affects(change(["a"], ["loss"]), QUESTION)).toBe(true);
  expect(affects(change(["b"], ["loss"]), QUESTION)).toBe(false);
  expect(affects(change(["a"], ["accuracy"]), QUESTION)).toBe(false);
  expect(affects(change("all", "all"), QUESTION)).toBe(true);
  expect(affects(change(["a"], undefined), QUESTION)).toBe(false);
  expect(affects(change(["a"], ["epoch"]), QUESTION)).toBe(true);
});

test("a card with areas looks again when their edges grow", () => {
  const edges = { lower: ["low"], upper: ["high"] };
  expect(affects(change(["a"], ["high"]), { ...QUESTION, edges })).toBe(true);
});
