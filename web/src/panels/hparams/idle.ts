// Work for when there is nothing better to do. Safari has no idle callbacks; there a pause has to do.

const PAUSE_MS = 200;
const native = typeof requestIdleCallback === "function";

export function whenIdle(work: () => void): number {
  return native ? requestIdleCallback(work) : window.setTimeout(work, PAUSE_MS);
}

export function giveUpIdle(handle: number): void {
  if (native) cancelIdleCallback(handle);
  else clearTimeout(handle);
}
