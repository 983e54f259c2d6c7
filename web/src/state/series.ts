// The lines of one card: requests the lines that the card wants and does not have, keeps the old ones meanwhile, and
// updates them as the board grows. state/series_reducer.ts makes the decisions; here are the timers, the requests and
// the signals. Responses are frames for the drawing worker; only their headers are read here.

import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { fetchScalars, linesOf, type ScalarsQuestion } from "../api/client";
import { type RequestQueue, requestQueue } from "../base/request_queue";
import { asProblem, board, onChange, type Problem } from "./board";
import type { SeriesQuestion } from "./series_plan";
import {
  type Effect,
  FIRST_STATE,
  type HeldLayer,
  type SeriesEvent,
  type SeriesState,
  step,
  type Timer,
} from "./series_reducer";
import { fetchTogether } from "./together";

export { type HeldLayer, isCoarse } from "./series_reducer";

export type Series = {
  readonly layers: ReadonlySignal<readonly HeldLayer[]>;
  /** The question for which the current layers were loaded. Runs hidden since then are still in the layers. */
  readonly held: ReadonlySignal<SeriesQuestion | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly retry: () => void;
  readonly close: () => void;
};

// one connection stays free for the event stream, and for tooltips
const AT_ONCE = 5;
const queue: RequestQueue = requestQueue(AT_ONCE);

let lastLayer = 0;

/** `urgency`: the distance of the card from the viewport; called before each start of a request. */
export function openSeries(wanted: ReadonlySignal<SeriesQuestion | null>, urgency: () => number): Series {
  const shown = newSignals();
  const run = effectRunner(urgency, dispatch);
  let state = FIRST_STATE;

  function dispatch(event: SeriesEvent): void {
    const context = { wanted: wanted.peek(), now: performance.now(), session: board.peek()?.session };
    const { state: next, effects } = step(state, event, context);
    state = next;
    // before publishing: subscribers to the layers may dispatch the next event
    for (const one of effects) run(one);
    publish(shown, next);
    if (event.type === "answered") dispatch({ type: "published" });
  }

  const stopListening = onChange((change) => dispatch({ type: "changed", change }));
  const stopWatching = effect(() => {
    void wanted.value;
    dispatch({ type: "wanted" });
  });

  return {
    ...shown,
    retry: () => dispatch({ type: "retry" }),
    close: () => {
      stopWatching();
      stopListening();
      dispatch({ type: "close" });
    },
  };
}

function newSignals() {
  return {
    layers: signal<readonly HeldLayer[]>([]),
    held: signal<SeriesQuestion | null>(null),
    problem: signal<Problem | null>(null),
    busy: signal(false),
  };
}

/** In one batch: subscribers to the layers must see the matching question. */
function publish(shown: ReturnType<typeof newSignals>, state: SeriesState): void {
  batch(() => {
    shown.held.value = state.held;
    shown.layers.value = state.layers;
    shown.problem.value = state.problem;
    shown.busy.value = state.busy;
  });
}

/** Owns the timers and the requests of one card. */
function effectRunner(urgency: () => number, dispatch: (event: SeriesEvent) => void): (effect: Effect) => void {
  const timers = new Map<Timer, ReturnType<typeof setTimeout>>();
  /** The newest request, until it is canceled. */
  let current: number | null = null;
  let abort = (): void => {};

  async function load(request: number, answer: Promise<ArrayBuffer>): Promise<void> {
    let event: SeriesEvent;
    try {
      const buffer = await answer;
      if (request !== current) return;
      event = { type: "answered", request, layer: { id: ++lastLayer, lines: linesOf(buffer), buffer } };
    } catch (error) {
      event = { type: "failed", request, problem: asProblem(error) };
    }
    dispatch(event);
  }

  function send(id: number, body: ScalarsQuestion, by: Extract<Effect, { type: "send" }>["by"]): void {
    current = id;
    if (by === "queue") {
      abort = queue.add({ urgency, run: (signal) => load(id, fetchScalars(body, { signal })) });
    } else {
      // a batch is shared with other cards and not aborted: the response to a canceled request is ignored
      abort = () => {};
      void load(id, fetchTogether(body, by === "batch"));
    }
  }

  return (one) => {
    if (one.type === "send") send(one.id, one.body, one.by);
    else if (one.type === "cancel") {
      current = null;
      abort();
    } else {
      clearTimeout(timers.get(one.timer));
      timers.delete(one.timer);
      if (one.type === "start") {
        const elapsed = (): void => dispatch({ type: "elapsed", timer: one.timer });
        timers.set(one.timer, setTimeout(elapsed, one.ms));
      }
    }
  };
}
