// The lines of one card as a pure reducer: state and event in, next state and effects out. It decides which request to
// send, when to wait, when to cancel and which layers to keep. It starts no timer and sends no request: state/series.ts
// runs the effects.

import type { Change, Lines, ScalarsQuestion } from "../api/client";
import { mentions, usesOtherRuns } from "../base/expression";
import type { Problem } from "./board";
import { EXACT_SMOOTHING, type Plan, planFor, type SeriesQuestion, sameQuestion } from "./series_plan";

export type HeldLayer = {
  readonly id: number;
  readonly lines: Lines;
  readonly buffer: ArrayBuffer;
  readonly part: "raw" | "smoothed" | undefined;
  /** A fast preview without exact extents, often in half as many columns. The exact lines follow. */
  readonly draft: boolean;
};

/** `pause` waits until the user pauses, `live` until the next live update, `busy` until the card shows a spinner. */
export type Timer = "pause" | "live" | "busy";

export type Request = {
  readonly id: number;
  readonly question: SeriesQuestion;
  readonly plan: Plan;
  /** Session of the server when the request was sent. */
  readonly session: string | undefined;
};

export type SeriesState = {
  readonly layers: readonly HeldLayer[];
  /** The question for which the layers were loaded. Null if and only if there are no layers. */
  readonly held: SeriesQuestion | null;
  readonly problem: Problem | null;
  readonly busy: boolean;
  /** The request in flight. At most one. */
  readonly request: Request | null;
  readonly lastRequest: number;
  /** What to request when the timer `pause` elapses. Null if and only if that timer is not running. */
  readonly paused: Plan | null;
  /** When the first of several consecutive delays began. Null if nothing is delayed. */
  readonly waitingSince: number | null;
  /** The timer `live` is running. */
  readonly liveTimer: boolean;
  readonly answeredAt: number;
  /** The newest change of the board that affects these lines and may not be in them. */
  readonly due: { readonly session: string; readonly version: number } | null;
  /** Session of the server that responded last. Versions start again when the server restarts. */
  readonly session: string | undefined;
  /** Layers of single runs were added. The extents of the first layer do not include them. */
  readonly patched: boolean;
  readonly closed: boolean;
};

export type SeriesEvent =
  /** The card wants other lines. */
  | { readonly type: "wanted" }
  | { readonly type: "elapsed"; readonly timer: Timer }
  | {
      readonly type: "answered";
      readonly request: number;
      readonly layer: { readonly id: number; readonly lines: Lines; readonly buffer: ArrayBuffer };
    }
  /** Sent after the layers of a response are published, because they may change which lines the card wants. */
  | { readonly type: "published" }
  | { readonly type: "failed"; readonly request: number; readonly problem: Problem }
  | { readonly type: "changed"; readonly change: Change }
  | { readonly type: "retry" }
  | { readonly type: "close" };

export type Effect =
  | {
      readonly type: "send";
      readonly id: number;
      readonly body: ScalarsQuestion;
      /** Queued by urgency, or batched with the requests of other cards: those sent now, or within some milliseconds. */
      readonly by: "queue" | "batch" | "slow batch";
    }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "start"; readonly timer: Timer; readonly ms: number }
  | { readonly type: "stop"; readonly timer: Timer };

/** External values that the reducer reads at the time of an event. */
export type Context = {
  readonly wanted: SeriesQuestion | null;
  /** performance.now() */
  readonly now: number;
  /** Session of the server. */
  readonly session: string | undefined;
};

export type Step = { readonly state: SeriesState; readonly effects: readonly Effect[] };

// A faster response needs no spinner.
const BUSY_AFTER_MS = 400;
// A card that follows a running training sends at most one request in this time.
const LIVE_INTERVAL_MS = 1000;
// During a gesture the old lines are moved, but at most for this long.
const LONGEST_WAIT_MS = 900;
// Up to this many lines can be drawn fast enough at full resolution while a slider moves.
const FEW_LINES = 48;

const WHOLE_NOW: Plan = { kind: "whole", delayMs: 0 };

export const FIRST_STATE: SeriesState = {
  layers: [],
  held: null,
  problem: null,
  busy: false,
  request: null,
  lastRequest: 0,
  paused: null,
  waitingSince: null,
  liveTimer: false,
  answeredAt: Number.NEGATIVE_INFINITY,
  due: null,
  session: undefined,
  patched: false,
  closed: false,
};

/** Returns true if the layer is drawn with half the pixels on x: many lines while a slider moves. */
export function isCoarse({ draft, lines }: HeldLayer): boolean {
  return draft && lines.run.length > FEW_LINES;
}

export function step(state: SeriesState, event: SeriesEvent, context: Context): Step {
  if (state.closed) return { state, effects: [] };
  switch (event.type) {
    case "wanted":
      return consider(state, context);
    case "elapsed":
      return elapsed(state, event.timer, context);
    case "answered":
      return state.request?.id === event.request ? take(state, state.request, event.layer, context) : stay(state);
    case "published":
      return then(consider(state, context), (next) => catchUp(next, context));
    case "failed":
      if (state.request?.id !== event.request) return stay(state);
      return then(endRequest(state), (next) => stay(failedState(next, event.problem)));
    case "changed":
      if (context.wanted === null || !affects(event.change, context.wanted)) return stay(state);
      return catchUp({ ...state, due: { session: event.change.session, version: event.change.version } }, context);
    case "retry":
      return sendIfIdle({ ...state, problem: null }, WHOLE_NOW, context);
    case "close":
      return close(state);
  }
}

function stay(state: SeriesState): Step {
  return { state, effects: [] };
}

/** The old lines stay, unless there will never be an answer: then they would be taken for it. */
function failedState(state: SeriesState, problem: Problem): SeriesState {
  return problem.kind === "absent" ? { ...state, problem, layers: [], held: null } : { ...state, problem };
}

/** Combines two steps into one. */
function then(first: Step, next: (state: SeriesState) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

// ---- what to request

/** Compares the wanted lines with the existing ones. */
function consider(state: SeriesState, context: Context): Step {
  const { wanted } = context;
  if (wanted === null) return stay(state);
  if (wanted.runs.length === 0) return forget(state);
  const plan = nextPlan(state, wanted);
  const { request } = state;
  if (plan.kind === "nothing") {
    const resting = then(stopPause(state), (next) => stay({ ...next, waitingSince: null }));
    const obsolete = request !== null && !sameQuestion(request.question, wanted);
    return obsolete ? then(resting, cancel) : resting;
  }
  if (request === null) return sendOrPause(state, plan, wanted, context);
  if (sameQuestion(request.question, wanted)) return stay(state);
  // While a slider or a pan moves, the response in flight is shown first. The newest question is sent after it.
  const inMotion = request.plan.kind === plan.kind && plan.kind !== "runs" && !isExactSmoothing(request.plan);
  return inMotion ? stay(state) : then(cancel(state), (next) => sendOrPause(next, plan, wanted, context));
}

function nextPlan({ held, layers, patched }: SeriesState, wanted: SeriesQuestion): Plan {
  const plan = planFor(held, wanted);
  if (plan.kind !== "nothing") return plan;
  if (layers.at(-1)?.draft === true) return EXACT_SMOOTHING;
  return patched ? { kind: "whole", delayMs: LIVE_INTERVAL_MS } : plan;
}

function sendOrPause(state: SeriesState, plan: Plan, wanted: SeriesQuestion, context: Context): Step {
  const delayMs = "delayMs" in plan ? plan.delayMs : 0;
  if (delayMs <= 0) return send(state, plan, wanted, context);
  const waitingSince = state.waitingSince ?? context.now;
  const longest = Math.max(0, waitingSince + Math.max(LONGEST_WAIT_MS, delayMs) - context.now);
  return {
    state: { ...state, waitingSince, paused: plan },
    effects: [{ type: "start", timer: "pause", ms: Math.min(delayMs, longest) }],
  };
}

function elapsed(state: SeriesState, timer: Timer, context: Context): Step {
  if (timer === "busy") return stay({ ...state, busy: true });
  if (timer === "pause") {
    const { paused } = state;
    return paused === null ? stay(state) : sendIfIdle({ ...state, paused: null }, paused, context);
  }
  const rested = { ...state, liveTimer: false };
  return sendIfIdle(canSend(rested, context) ? { ...rested, due: null } : rested, WHOLE_NOW, context);
}

function canSend({ request }: SeriesState, { wanted }: Context): boolean {
  return wanted !== null && wanted.runs.length > 0 && request === null;
}

function sendIfIdle(state: SeriesState, plan: Plan, context: Context): Step {
  const { wanted } = context;
  return wanted !== null && canSend(state, context) ? send(state, plan, wanted, context) : stay(state);
}

function send(state: SeriesState, plan: Plan, question: SeriesQuestion, { session }: Context): Step {
  const id = state.lastRequest + 1;
  const request = { id, question, plan, session };
  return then(stopPause(state), (next) => ({
    state: { ...next, request, lastRequest: id, waitingSince: null },
    effects: [
      { type: "start", timer: "busy", ms: BUSY_AFTER_MS },
      { type: "send", id, body: bodyOf(plan, question, state.layers), by: wayOf(plan) },
    ],
  }));
}

/** A slider, or a run that is switched on, makes all cards send at the same time: in one batch, without the queue. */
function wayOf(plan: Plan): "queue" | "batch" | "slow batch" {
  if (isExactSmoothing(plan)) return "slow batch";
  return plan.kind === "smoothing" || plan.kind === "runs" ? "batch" : "queue";
}

function isExactSmoothing(plan: Plan): boolean {
  return plan.kind === "smoothing" && !plan.draft;
}

function stopPause(state: SeriesState): Step {
  if (state.paused === null) return stay(state);
  return { state: { ...state, paused: null }, effects: [{ type: "stop", timer: "pause" }] };
}

/** Resets the state after the request in flight has ended. */
function endRequest(state: SeriesState): Step {
  return { state: { ...state, request: null, busy: false }, effects: [{ type: "stop", timer: "busy" }] };
}

/** Cancels the request in flight and the delayed one. */
function cancel(state: SeriesState): Step {
  const { request } = state;
  const effects: readonly Effect[] = request === null ? [] : [{ type: "cancel", id: request.id }];
  return then(then(stopPause(state), endRequest), (next) => ({ state: next, effects }));
}

function forget(state: SeriesState): Step {
  return then(cancel(state), (next) => stay({ ...next, layers: [], held: null, problem: null }));
}

function close(state: SeriesState): Step {
  return then(cancel(state), (next) => ({
    state: { ...next, closed: true, liveTimer: false },
    effects: next.liveTimer ? [{ type: "stop", timer: "live" }] : [],
  }));
}

// ---- the body of a request

function bodyOf(plan: Plan, question: SeriesQuestion, layers: readonly HeldLayer[]): ScalarsQuestion {
  if (plan.kind === "runs") return { ...scalarsQuestion(question, plan.missing), ...stretchOf(layers) };
  const body = scalarsQuestion(question, question.allRuns ? null : question.runs);
  return plan.kind === "smoothing" ? { ...body, ...smoothingOf(layers, plan.draft) } : body;
}

function scalarsQuestion(question: SeriesQuestion, runs: readonly string[] | null): ScalarsQuestion {
  const { tags, x, xScale, range, widthPx, smoothing, rewinds, exact, group, band, edges } = question;
  return {
    tag: tags,
    ...(runs === null ? {} : { run: runs }),
    x: x as NonNullable<ScalarsQuestion["x"]>,
    ...(xScale === "linear" ? {} : { x_scale: xScale }),
    ...(range === null ? {} : { lo: range[0], hi: range[1] }),
    width: widthPx,
    ...(smoothing === "" ? {} : { smoothing }),
    ...(rewinds === "board" ? {} : { rewinds }),
    encoding: exact ? "exact" : "pixels",
    ...(edges !== undefined ? edges : group === "" ? {} : { group, band }),
  };
}

function smoothingOf(layers: readonly HeldLayer[], draft: boolean): Partial<ScalarsQuestion> {
  const stretch = stretchOf(layers);
  if (!draft || stretch.width === undefined) return { ...stretch, raw: false };
  const lines = layers.reduce((most, layer) => Math.max(most, layer.lines.run.length), 0);
  const width = lines > FEW_LINES ? Math.ceil(stretch.width / 2) : stretch.width;
  return { ...stretch, width, raw: false, draft: true };
}

/** Layers are drawn over each other pixel by pixel, so they must all cover the same range of x. */
function stretchOf(layers: readonly HeldLayer[]): Partial<ScalarsQuestion> {
  const lines = layers[0]?.lines;
  if (lines === undefined || lines.lo === null || lines.hi === null) return {};
  return { lo: lines.lo, hi: lines.hi, width: lines.width };
}

// ---- responses and changes

type NewLayer = Extract<SeriesEvent, { type: "answered" }>["layer"];

function take(state: SeriesState, { question, plan, session }: Request, layer: NewLayer, { now }: Context): Step {
  return then(endRequest(state), (next) =>
    stay({
      ...next,
      problem: null,
      session,
      answeredAt: now,
      held: question,
      layers: layersAfter(state.layers, plan, layer),
      patched: plan.kind === "runs" || (state.patched && plan.kind === "smoothing"),
    }),
  );
}

function layersAfter(before: readonly HeldLayer[], plan: Plan, layer: NewLayer): readonly HeldLayer[] {
  if (plan.kind === "runs") return [...before, { ...layer, part: undefined, draft: false }];
  if (plan.kind !== "smoothing") return [{ ...layer, part: undefined, draft: false }];
  const raw = before.filter(({ part }) => part !== "smoothed").map((old): HeldLayer => ({ ...old, part: "raw" }));
  return [...raw, { ...layer, part: "smoothed", draft: plan.draft }];
}

/** Plans a request if the board has grown since the lines were read, but not more often than a user can follow. */
function catchUp(state: SeriesState, { now }: Context): Step {
  const { due, liveTimer, request, answeredAt } = state;
  // a response in flight may include the change: it is compared when it arrives
  if (due === null || liveTimer || request !== null) return stay(state);
  const version = state.layers[0]?.lines.version;
  if (version !== undefined && due.session === state.session && version >= due.version) {
    return stay({ ...state, due: null });
  }
  const ms = Math.max(0, answeredAt + LIVE_INTERVAL_MS - now);
  return { state: { ...state, liveTimer: true }, effects: [{ type: "start", timer: "live", ms }] };
}

const NO_EDGES = { lower: [], upper: [] };

/** Returns true if lines of the card may have grown. */
export function affects(change: Change, question: SeriesQuestion): boolean {
  const tags = change.tags?.scalars;
  if (tags === undefined) return false;
  const metric = question.x.startsWith("metric:") ? question.x.slice("metric:".length) : null;
  const { lower, upper } = question.edges ?? NO_EDGES;
  const all = [...question.tags, ...lower, ...upper];
  const computed = all.filter((tag) => tags === "all" || mentions(tag, new Set(tags)));
  const tagMatters = tags === "all" || computed.length > 0 || tags.some((tag) => tag === metric || all.includes(tag));
  if (!tagMatters || change.runs === "all" || computed.some(usesOtherRuns)) return tagMatters;
  const drawn = new Set(question.runs);
  return change.runs.some((run) => drawn.has(run));
}
