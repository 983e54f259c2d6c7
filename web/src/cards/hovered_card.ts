// The card under the cursor or with the focus: keyboard shortcuts of the page act on it.

import { signal } from "@preact/signals";

export const hoveredCard = signal<string | null>(null);
