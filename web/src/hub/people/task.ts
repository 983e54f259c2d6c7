// Something that the user asked for and that takes a moment: whether it is under way, and why it failed. While it runs
// it is not started again.

import { type Signal, useSignal } from "@preact/signals";
import { tell } from "../../state/toasts";
import { reasonOf, type Sentence, sentenceOf } from "../explained";

export type Task = {
  readonly busy: Signal<boolean>;
  /** Why it failed last; null after a success. */
  readonly failure: Signal<Sentence | null>;
  /** Returns whether it succeeded. `onError` returns true for an error that it explained. */
  readonly run: (work: () => Promise<void>, onError?: (error: unknown) => boolean) => Promise<boolean>;
};

export function useTask(): Task {
  const busy = useSignal(false);
  const failure = useSignal<Sentence | null>(null);
  const run: Task["run"] = async (work, onError) => {
    if (busy.value) return false;
    busy.value = true;
    failure.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (onError?.(error) !== true) failure.value = sentenceOf(error);
      return false;
    } finally {
      busy.value = false;
    }
  };
  return { busy, failure, run };
}

/** For actions without a form: a failure is shown as a message at the edge of the page. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    tell(reasonOf(error), { kind: "error" });
    return false;
  }
}
