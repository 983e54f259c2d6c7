import { expect, test } from "vitest";
import { type FigureEvent, type FigureState, NO_FIGURE, nextFigure } from "./figure_state";

const after = (...events: readonly FigureEvent[]): FigureState => events.reduce(nextFigure, NO_FIGURE);

test("a figure is asked for and drawn", () => {
  expect(after({ kind: "asked", step: "3" })).toMatchObject({ id: 1, step: "3", busy: true, drawn: null });
  expect(after({ kind: "asked", step: "3" }, { kind: "drawn", id: 1, traces: 2 })).toEqual({
    id: 1,
    step: "3",
    drawn: { step: "3", traces: 2 },
    problem: null,
    busy: false,
  });
});

test("the last figure stays while the next one is on its way", () => {
  const state = after({ kind: "asked", step: "3" }, { kind: "drawn", id: 1, traces: 2 }, { kind: "asked", step: "4" });
  expect(state).toMatchObject({ id: 2, drawn: { step: "3" }, busy: true });
});

test("an answer to an older question changes nothing", () => {
  const state = after({ kind: "asked", step: "3" }, { kind: "asked", step: "4" });
  expect(nextFigure(state, { kind: "drawn", id: 1, traces: 2 })).toBe(state);
  expect(nextFigure(state, { kind: "failed", id: 1, reason: "noJson", details: "" })).toBe(state);
});

test("a failure of the frame itself counts for every question", () => {
  const state = after({ kind: "asked", step: "3" }, { kind: "failed", id: -1, reason: "noWebgl", details: "x" });
  expect(state).toMatchObject({ problem: { reason: "noWebgl", details: "x" }, busy: false });
});

test("a problem goes away with the next figure that is drawn", () => {
  const state = after(
    { kind: "asked", step: "3" },
    { kind: "unreachable", details: "offline" },
    { kind: "asked", step: "4" },
  );
  expect(state.problem).toEqual({ reason: "noLibrary", details: "offline" });
  expect(nextFigure(state, { kind: "drawn", id: 2, traces: 1 }).problem).toBeNull();
});
