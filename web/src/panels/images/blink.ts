// Which of two images is visible in blink mode: one timer for all cards. If the system asks for reduced motion there is
// no timer, and the user switches by hand.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { member } from "../../state/view";

const pace = member("imagesBlink");

export const showsB = signal(false);
export const blinkStopped = signal(false);

const reduced = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

let blinking = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Runs the timer while any component is active. */
export function useBlink(active: boolean): void {
  const paceMs = pace.value;
  const stopped = blinkStopped.value;
  useEffect(() => {
    if (!active) return;
    blinking++;
    clearInterval(timer);
    timer = undefined;
    if (reduced?.matches !== true && !stopped) {
      timer = setInterval(() => {
        showsB.value = !showsB.peek();
      }, paceMs);
    }
    return () => {
      blinking--;
      if (blinking > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [active, paceMs, stopped]);
}

/** Starts the timer again. */
export function resumeBlink(): void {
  blinkStopped.value = false;
}

/** Switches by hand and stops the timer. */
export function turnOver(): void {
  blinkStopped.value = true;
  showsB.value = !showsB.peek();
}
