// The lines of one card: asks for what the card wants and does not hold, keeps what it has on display meanwhile, and
// follows the board as it grows. Answers are frames for the drawing worker; only their headers are read here.

import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Change, fetchScalars, type Lines, linesOf, type ScalarsQuestion } from "../api/client";
import { type RequestQueue, requestQueue } from "../base/request_queue";
import { asProblem, board, onChange, type Problem } from "./board";
import { EXACT_SMOOTHING, type Plan, planFor, type SeriesQuestion, sameQuestion } from "./series_plan";
import { fetchTogether } from "./together";

export type HeldLayer = {
  readonly id: number;
  readonly lines: Lines;
  /** Empty once it has been handed to the worker. */
  readonly buffer: ArrayBuffer;
  readonly part: "raw" | "smoothed" | undefined;
  /** In half as many columns, without exact extents; the real ones follow. */
  readonly draft: boolean;
};

export type Series = {
  readonly layers: ReadonlySignal<readonly HeldLayer[]>;
  /** What the layers answer. Runs hidden since are still in them. */
  readonly held: ReadonlySignal<SeriesQuestion | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly retry: () => void;
  readonly close: () => void;
};

// one connection stays free for the events, and for tooltips
const AT_ONCE = 5;
const queue: RequestQueue = requestQueue(AT_ONCE);

// an answer that comes sooner needs no sign that it is on its way
const BUSY_AFTER_MS = 400;
// a card that follows a running training asks at most this often
const LIVE_INTERVAL_MS = 1000;
// while a gesture goes on the old lines are moved about, but not longer than this
const LONGEST_WAIT_MS = 900;

// so many are drawn in time with every pixel, also while a slider moves
const FEW_LINES = 48;

/** Drawn with half the pixels on x: many lines in motion. */
export function isCoarse({ draft, lines }: HeldLayer): boolean {
  return draft && lines.run.length > FEW_LINES;
}

let lastId = 0;

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

type Asked = {
  readonly question: SeriesQuestion;
  readonly plan: Plan;
  readonly giveUp: () => void;
};

/** `urgency`: how far the card is from what the reader looks at; asked whenever there is room for a request. */
export function openSeries(wanted: ReadonlySignal<SeriesQuestion | null>, urgency: () => number): Series {
  const layers = signal<readonly HeldLayer[]>([]);
  const held = signal<SeriesQuestion | null>(null);
  const problem = signal<Problem | null>(null);
  const busy = signal(false);
  let asked: Asked | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingSince: number | null = null;
  let liveTimer: ReturnType<typeof setTimeout> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  /** The newest change that touches these lines and is not known to be in them. */
  let due: { readonly session: string; readonly version: number } | null = null;
  /** Versions count anew when the server is started again. */
  let sessionHeld: string | undefined;
  /** Runs beside the whole answer are on display: its extents do not know of them. */
  let patched = false;
  let closed = false;
  let busyTimer: ReturnType<typeof setTimeout> | undefined;

  function setBusy(now: boolean): void {
    clearTimeout(busyTimer);
    if (!now) busy.value = false;
    else
      busyTimer = setTimeout(() => {
        busy.value = true;
      }, BUSY_AFTER_MS);
  }

  function consider(): void {
    const question = wanted.peek();
    if (closed || question === null) return;
    if (question.runs.length === 0) {
      forget();
      return;
    }
    let plan = planFor(held.peek(), question);
    if (plan.kind === "nothing" && isDraft()) plan = EXACT_SMOOTHING;
    if (plan.kind === "nothing" && patched) plan = { kind: "whole", delayMs: LIVE_INTERVAL_MS };
    if (plan.kind === "nothing") {
      clearTimeout(timer);
      waitingSince = null;
      if (asked !== null && !sameQuestion(asked.question, question)) give();
      return;
    }
    if (asked !== null) {
      if (sameQuestion(asked.question, question)) return;
      // a slider or a pan in motion: what is on its way is shown, the newest is asked for next
      if (asked.plan.kind === plan.kind && plan.kind !== "runs" && !isExactSmoothing(asked.plan)) return;
      give();
    }
    if ("delayMs" in plan && plan.delayMs > 0) askSoon(plan, plan.delayMs);
    else ask(question, plan);
  }

  function forget(): void {
    give();
    layers.value = [];
    held.value = null;
    problem.value = null;
  }

  function give(): void {
    clearTimeout(timer);
    timer = undefined;
    asked?.giveUp();
    asked = null;
    setBusy(false);
  }

  function isDraft(): boolean {
    return layers.peek().at(-1)?.draft === true;
  }

  function askSoon(plan: Plan, delayMs: number): void {
    const now = performance.now();
    waitingSince ??= now;
    clearTimeout(timer);
    const longest = Math.max(0, waitingSince + Math.max(LONGEST_WAIT_MS, delayMs) - now);
    timer = setTimeout(
      () => {
        const question = wanted.peek();
        if (question !== null && question.runs.length > 0 && asked === null) ask(question, plan);
      },
      Math.min(delayMs, longest),
    );
  }

  function ask(question: SeriesQuestion, plan: Plan): void {
    clearTimeout(timer);
    timer = undefined;
    waitingSince = null;
    setBusy(true);
    const session = board.peek()?.session;
    if (travelsTogether(plan)) {
      // all cards ask this at once: one request, which need not queue
      const stop = new AbortController();
      asked = { question, plan, giveUp: () => stop.abort() };
      void load(question, plan, session, stop.signal);
      return;
    }
    const giveUp = queue.add({ urgency, run: (stop) => load(question, plan, session, stop) });
    asked = { question, plan, giveUp };
  }

  async function load(
    question: SeriesQuestion,
    plan: Plan,
    session: string | undefined,
    stop: AbortSignal,
  ): Promise<void> {
    let runs = question.allRuns ? null : question.runs;
    let request = scalarsQuestion(question, runs);
    if (plan.kind === "smoothing") request = { ...request, ...smoothingHeld(plan.draft) };
    if (plan.kind === "runs") {
      runs = plan.missing;
      request = { ...scalarsQuestion(question, runs), ...stretchHeld() };
    }
    try {
      const buffer = await (travelsTogether(plan)
        ? fetchTogether(request, !isExactSmoothing(plan))
        : fetchScalars(request, { signal: stop }));
      if (stop.aborted) return;
      sessionHeld = session;
      take(question, plan, buffer);
    } catch (error) {
      if (stop.aborted) return;
      asked = null;
      setBusy(false);
      problem.value = asProblem(error);
    }
  }

  function smoothingHeld(draft: boolean): Partial<ScalarsQuestion> {
    const stretch = stretchHeld();
    if (!draft || stretch.width === undefined) return { ...stretch, raw: false };
    const lines = layers.peek().reduce((sum, layer) => Math.max(sum, layer.lines.run.length), 0);
    const width = lines > FEW_LINES ? Math.ceil(stretch.width / 2) : stretch.width;
    return { ...stretch, width, raw: false, draft: true };
  }

  /** Layers lie over each other pixel by pixel: all answer for the same stretch. */
  function stretchHeld(): Partial<ScalarsQuestion> {
    const lines = layers.peek()[0]?.lines;
    if (lines === undefined || lines.lo === null || lines.hi === null) return {};
    return { lo: lines.lo, hi: lines.hi, width: lines.width };
  }

  function take(question: SeriesQuestion, plan: Plan, buffer: ArrayBuffer): void {
    asked = null;
    setBusy(false);
    problem.value = null;
    answeredAt = performance.now();
    const draft = plan.kind === "smoothing" && plan.draft;
    const layer: HeldLayer = { id: ++lastId, lines: linesOf(buffer), buffer, part: undefined, draft };
    const before = layers.peek();
    // together: who hears of the lines must find what they answer
    batch(() => {
      held.value = question;
      if (plan.kind === "runs") {
        layers.value = [...before, layer];
      } else if (plan.kind === "smoothing") {
        const raw = before.filter(({ part }) => part !== "smoothed").map((old): HeldLayer => ({ ...old, part: "raw" }));
        layers.value = [...raw, { ...layer, part: "smoothed" }];
      } else {
        layers.value = [layer];
      }
    });
    patched = plan.kind === "runs" || (patched && plan.kind === "smoothing");
    consider();
    catchUp();
  }

  /** Ask again if the board has grown since the lines were read, but not more often than a reader can follow. */
  function catchUp(): void {
    // an answer on its way is looked at when it is there: it may know already
    if (closed || due === null || liveTimer !== undefined || asked !== null) return;
    const version = layers.peek()[0]?.lines.version;
    if (version !== undefined && due.session === sessionHeld && version >= due.version) {
      due = null;
      return;
    }
    const wait = Math.max(0, answeredAt + LIVE_INTERVAL_MS - performance.now());
    liveTimer = setTimeout(() => {
      liveTimer = undefined;
      const question = wanted.peek();
      if (question === null || question.runs.length === 0 || asked !== null) return;
      due = null;
      ask(question, { kind: "whole", delayMs: 0 });
    }, wait);
  }

  const stopListening = onChange((change) => {
    const question = wanted.peek();
    if (question === null || !affects(change, question)) return;
    due = { session: change.session, version: change.version };
    catchUp();
  });
  const stopWatching = effect(() => {
    void wanted.value;
    consider();
  });

  return {
    layers,
    held,
    problem,
    busy,
    retry: () => {
      problem.value = null;
      const question = wanted.peek();
      if (question !== null && question.runs.length > 0 && asked === null) ask(question, { kind: "whole", delayMs: 0 });
    },
    close: () => {
      closed = true;
      stopWatching();
      stopListening();
      clearTimeout(liveTimer);
      give();
    },
  };
}

/** Raised by all cards in one go: by a slider, or a run that is switched on. */
function travelsTogether(plan: Plan): boolean {
  return plan.kind === "smoothing" || plan.kind === "runs";
}

function isExactSmoothing(plan: Plan): boolean {
  return plan.kind === "smoothing" && !plan.draft;
}

const NO_EDGES = { lower: [], upper: [] };

/** Whether lines of the card may have grown. */
export function affects(change: Change, question: SeriesQuestion): boolean {
  const tags = change.tags?.scalars;
  if (tags === undefined) return false;
  const metric = question.x.startsWith("metric:") ? question.x.slice("metric:".length) : null;
  const { lower, upper } = question.edges ?? NO_EDGES;
  const all = [...question.tags, ...lower, ...upper];
  const tagMatters = tags === "all" || tags.some((tag) => tag === metric || all.includes(tag));
  if (!tagMatters || change.runs === "all") return tagMatters;
  const drawn = new Set(question.runs);
  return change.runs.some((run) => drawn.has(run));
}
