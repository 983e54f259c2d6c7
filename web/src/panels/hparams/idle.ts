// Runs work when the browser is idle. Safari has no requestIdleCallback; there a timeout is used.

const PAUSE_MS = 200;
const native = typeof requestIdleCallback === "function";

export function whenIdle(work: () => void): number {
  return native ? requestIdleCallback(work) : window.setTimeout(work, PAUSE_MS);
}

export function giveUpIdle(handle: number): void {
  if (native) cancelIdleCallback(handle);
  else clearTimeout(handle);
}
