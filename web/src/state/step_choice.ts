// Which step a card shows: its own choice, or the page's slider, or the step selected on the time series page, or the
// newest one, which changes while a run continues. Steps are text: they may have more digits than a double.

import { computed } from "@preact/signals";
import type { Wholes } from "./steps";
import { changeView, member } from "./view";

export type ChosenBy = "card" | "page" | "link" | "newest";

/** `at`: index in the series; -1 if it has no point. */
export type StepChoice = { readonly at: number; readonly by: ChosenBy };

const stepOf = member("stepOf");
const stepAll = member("stepAll");
const linkSteps = member("linkSteps");
const steps = member("steps");
const stepTable = member("stepTable");
const page = member("page");

/** The step selected on the time series page; for a range its end. Null if there is none. */
export const markedStep = computed<string | null>(() => {
  const marked = stepTable.value ? steps.value : null;
  return marked === null ? null : String(marked.hi ?? marked.lo);
});

/**
 * The value of the slider above the cards; "" for none. The time series page has no slider: its selected step is used.
 */
const sliderStep = computed(() => (page.value === "timeseries" ? "" : stepAll.value));

/** The selected step, if it applies to the page. */
export const linkedStep = computed<string | null>(() =>
  linkSteps.value && sliderStep.value === "" ? markedStep.value : null,
);

/** The step that the user selected for all cards of the page; "": none. */
export const pageStep = computed<string>(() =>
  page.value === "timeseries" ? (linkedStep.value ?? "") : sliderStep.value,
);

/**
 * Returns the index of the last point with the highest step that is not above `wished`; 0 if all are above; -1: no
 * point.
 */
export function placeOfStep(all: Wholes, wished: string): number {
  const wanted = parseStep(wished, all);
  if (wanted === null) return all.length - 1;
  let best = -1;
  for (let i = 0; i < all.length; i++) {
    // after a restart steps may decrease
    if (at(all, i) <= wanted && (best === -1 || at(all, i) >= at(all, best))) best = i;
  }
  return best === -1 ? Math.min(0, all.length - 1) : best;
}

function at(all: Wholes, i: number): number | bigint {
  return all[i] ?? 0;
}

function parseStep(text: string, all: Wholes): number | bigint | null {
  if (all instanceof BigInt64Array && /^-?\d+$/.test(text)) return BigInt(text);
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? null : number;
}

/** Returns the step to show. It reads signals, so call it inside of a computed value or an effect. */
export function choiceOf(cardKey: string, all: Wholes): StepChoice {
  const own = stepOf.value[cardKey];
  if (own !== undefined) return { at: placeOfStep(all, own), by: "card" };
  if (sliderStep.value !== "") return { at: placeOfStep(all, sliderStep.value), by: "page" };
  if (linkedStep.value !== null) return { at: placeOfStep(all, linkedStep.value), by: "link" };
  return { at: all.length - 1, by: "newest" };
}

/** Sets the card's own step; null: it follows the page again. */
export function chooseStep(cardKey: string, step: number | bigint | null): void {
  const { [cardKey]: _, ...others } = stepOf.peek();
  changeView({ stepOf: step === null ? others : { ...others, [cardKey]: String(step) } });
}

/** Sets the step of all cards without their own; null: the selected or the newest one. */
export function choosePageStep(step: number | bigint | string | null): void {
  const none = step === null || step === "";
  if (page.peek() !== "timeseries") changeView({ stepAll: none ? "" : String(step) });
  else if (none) changeView({ steps: null });
  else changeView({ stepTable: true, linkSteps: true, steps: { lo: Number(step), hi: null } });
}

/** Returns true if cards of the kind have their own steps. */
export function anyOwnStep(kind: string): boolean {
  return Object.keys(stepOf.value).some((key) => key.startsWith(`${kind}|`));
}

/** Removes the own steps of all cards of the kind. */
export function dropOwnSteps(kind: string): void {
  const others = Object.entries(stepOf.peek()).filter(([key]) => !key.startsWith(`${kind}|`));
  changeView({ stepOf: Object.fromEntries(others) });
}

export function letGoOfMark(): void {
  changeView({ linkSteps: false });
}

/** Makes pages show the selected step, and resets their slider. */
export function followMark(): void {
  changeView({ linkSteps: true, stepAll: "" });
}

// ---- which element of a value, for kinds that log several at a step

const sampleOf = member("sampleOf");

/** Returns 0 by default, and never more than the last index. */
export function sampleOfCard(cardKey: string, count: number): number {
  return Math.max(0, Math.min(count - 1, sampleOf.value[cardKey] ?? 0));
}

export function chooseSample(cardKey: string, sample: number): void {
  const { [cardKey]: _, ...others } = sampleOf.peek();
  changeView({ sampleOf: sample === 0 ? others : { ...others, [cardKey]: sample } });
}
