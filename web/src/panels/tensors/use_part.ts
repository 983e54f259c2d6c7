// Loads a part of a tensor: the previous part stays until the next has loaded.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { loadPart, type TensorPart, type TensorQuestion } from "../../state/tensors";

export type LoadedPart = {
  readonly shown: ReadonlySignal<TensorPart | null>;
  readonly problem: ReadonlySignal<Error | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly retry: () => void;
};

/** Null sends no request. */
export function usePart(question: TensorQuestion | null, urgency: () => number): LoadedPart {
  const held = useMemo(() => {
    const again = signal(0);
    return {
      shown: signal<TensorPart | null>(null),
      problem: signal<Error | null>(null),
      busy: signal(false),
      again,
      retry: () => {
        again.value++;
      },
    };
  }, []);
  const key = question === null ? "" : JSON.stringify(question);
  useEffect(() => {
    if (question === null) return;
    held.busy.value = true;
    return loadPart(
      question,
      urgency,
      (part) => {
        held.shown.value = part;
        held.problem.value = null;
        held.busy.value = false;
      },
      (error) => {
        held.problem.value = error;
        held.busy.value = false;
      },
    );
  }, [key, held.again.value]);
  return held;
}
