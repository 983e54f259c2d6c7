// The drawn runs as a set, for fast lookup.

import { computed } from "@preact/signals";
import { allRuns, drawnRuns } from "./runs";

export const drawnSet = computed<ReadonlySet<string>>(() => new Set(drawnRuns.value));
export const allDrawn = computed(() => drawnRuns.value.length === allRuns.value.length);
