// Which of two pictures is seen where they take turns: one clock for all cards. Where the system asks for less motion
// there is none, and the reader turns by hand.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { member } from "../../state/view";

const pace = member("imagesBlink");

export const showsB = signal(false);
export const blinkStopped = signal(false);

const reduced = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

let blinking = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Takes turns while somebody shows it. */
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

/** The clock goes again. */
export function resumeBlink(): void {
  blinkStopped.value = false;
}

/** By hand: the clock rests from then on. */
export function turnOver(): void {
  blinkStopped.value = true;
  showsB.value = !showsB.peek();
}
