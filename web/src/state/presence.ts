// Reports to the server that the page is visible, and how long ago it was touched. While no page is visible, the server
// does not list buckets; whoever manages boards may stop one that nobody uses.

import { reportVisible, snapshot } from "../api/client";

const REPORT_MS = 30_000;
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** What presence needs from the browser; tests pass their own. */
export type Surroundings = {
  readonly now: () => number;
  readonly visible: () => boolean;
  readonly report: (untouchedSecs: number) => void;
};

export type Presence = {
  /** Somebody moved the pointer, scrolled or typed. */
  readonly touched: () => void;
  /** The page was shown or hidden, or it is time to report again. */
  readonly check: () => void;
};

export function presence({ now, visible, report }: Surroundings): Presence {
  let touchedAt = now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let wasVisible = false;
  return {
    touched: () => {
      touchedAt = now();
    },
    check: () => {
      const shown = visible();
      const due = !wasVisible || now() - reportedAt >= REPORT_MS;
      wasVisible = shown;
      if (!shown || !due) return;
      reportedAt = now();
      report((now() - touchedAt) / 1000);
    },
  };
}

/** Reports until the page is closed. */
export function reportPresence(): void {
  if (snapshot !== null) return;
  const here = presence({
    now: () => performance.now(),
    visible: () => document.visibilityState === "visible",
    report: (untouchedSecs) => void reportVisible(untouchedSecs).catch(() => undefined),
  });
  for (const kind of TOUCHES) addEventListener(kind, here.touched, { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => {
    here.touched();
    here.check();
  });
  setInterval(here.check, REPORT_MS);
  here.check();
}
