// State of a card's figure: a reducer over requests to the iframe and its responses. The iframe draws one figure at a
// time; responses to older requests are ignored.

import type { FrameMessage } from "./figure_frame";

export type Problem = { readonly reason: string; readonly details: string };

export type FigureState = {
  /** Id of the last request. */
  readonly id: number;
  /** The step of the last request. */
  readonly step: string;
  /** The last drawn figure; it stays until the next one is drawn. */
  readonly drawn: { readonly step: string; readonly traces: number } | null;
  readonly problem: Problem | null;
  readonly busy: boolean;
};

export const NO_FIGURE: FigureState = { id: 0, step: "", drawn: null, problem: null, busy: true };

export type FigureEvent =
  | { readonly kind: "asked"; readonly step: string }
  | (FrameMessage & { readonly kind: "drawn" | "failed" })
  /** The library or the figure could not be fetched. */
  | { readonly kind: "unreachable"; readonly details: string };

/** Returns the same state if the event is about an older figure. */
export function nextFigure(state: FigureState, event: FigureEvent): FigureState {
  switch (event.kind) {
    case "asked":
      return { ...state, id: state.id + 1, step: event.step, busy: true };
    case "drawn":
      if (event.id !== state.id) return state;
      return { ...state, drawn: { step: state.step, traces: event.traces }, problem: null, busy: false };
    case "failed":
      // a negative id: the iframe itself failed, independent of any request
      if (event.id !== state.id && event.id >= 0) return state;
      return { ...state, problem: { reason: event.reason, details: event.details }, busy: false };
    case "unreachable":
      return { ...state, problem: { reason: "noLibrary", details: event.details }, busy: false };
  }
}
