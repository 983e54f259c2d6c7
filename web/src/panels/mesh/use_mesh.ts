// Loads a mesh: the previous one stays until the next has loaded.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { KindCard } from "../../state/card_keys";
import { loadMesh, type MeshData } from "../../state/mesh";
import { parseConfig } from "./config";
import { type Model, modelOf } from "./drawing";
import { release } from "./stage";

type Name = Pick<KindCard, "run" | "tag"> & { readonly step: string; readonly offset: string };

export type Shown = { readonly model: Model; readonly of: string; readonly step: string };

export type LoadedMesh = {
  readonly shown: ReadonlySignal<Shown | null>;
  readonly problem: ReadonlySignal<Error | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly retry: () => void;
};

export function useMesh(name: Name, sample: number, urgency: () => number): LoadedMesh {
  const held = useMemo(() => {
    const again = signal(0);
    return {
      shown: signal<Shown | null>(null),
      problem: signal<Error | null>(null),
      busy: signal(false),
      again,
      retry: () => {
        again.value++;
      },
    };
  }, []);
  const { run, tag, step, offset } = name;
  useEffect(() => {
    held.busy.value = true;
    const done = (data: MeshData): void => {
      drop(held.shown.peek());
      held.shown.value = { model: modelOf(data, parseConfig(data.header.config)), of: `${step}/${sample}`, step };
      held.problem.value = null;
      held.busy.value = false;
    };
    const failed = (error: Error): void => {
      held.problem.value = error;
      held.busy.value = false;
    };
    return loadMesh({ run, tag, step, offset }, sample, urgency, done, failed);
  }, [run, tag, step, offset, sample, held.again.value]);
  useEffect(() => () => drop(held.shown.peek()), [held]);
  return held;
}

function drop(shown: Shown | null): void {
  if (shown !== null) release(shown.model);
}
