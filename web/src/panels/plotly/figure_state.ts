// What a card knows of its figure: a reducer over what is asked of the frame and what the frame answers. The frame draws
// one figure at a time; an answer to an older question does not count.

import type { FrameMessage } from "./figure_frame";

export type Problem = { readonly reason: string; readonly details: string };

export type FigureState = {
  /** Of the last question. */
  readonly id: number;
  /** The step of the last question. */
  readonly step: string;
  /** The last figure that was drawn; it stays while the next one is on its way. */
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

/** The same state: the event is about an older figure. */
export function nextFigure(state: FigureState, event: FigureEvent): FigureState {
  switch (event.kind) {
    case "asked":
      return { ...state, id: state.id + 1, step: event.step, busy: true };
    case "drawn":
      if (event.id !== state.id) return state;
      return { ...state, drawn: { step: state.step, traces: event.traces }, problem: null, busy: false };
    case "failed":
      // below 0: the frame itself failed, whatever was asked
      if (event.id !== state.id && event.id >= 0) return state;
      return { ...state, problem: { reason: event.reason, details: event.details }, busy: false };
    case "unreachable":
      return { ...state, problem: { reason: "noLibrary", details: event.details }, busy: false };
  }
}
