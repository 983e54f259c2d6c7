// The card under the cursor or with the focus: the one that keys of the page speak of.

import { signal } from "@preact/signals";

export const hoveredCard = signal<string | null>(null);
