// Schedules the creation of charts: while the user scrolls, a few per animation frame; none during fast scrolling.

// at a higher scrolling speed nothing is readable
const FLYING_PX_PER_MS = 4;
const STILL_MS = 120;
// a larger scroll in one event is a jump: cards are rendered first, their charts in the next frames
const JUMP_PX = 400;
const PER_FRAME_SCROLLING = 2;
const PER_FRAME = 4;

const waiting = new Set<() => void>();
let running = false;
/** Number of callbacks started since the last frame. */
let given = 0;
let jumped = false;
let lastScroll = { at: Number.NEGATIVE_INFINITY, topPx: 0, speed: 0 };

export function noteScroll(topPx: number): void {
  const at = performance.now();
  const passed = Math.max(1, at - lastScroll.at);
  if (Math.abs(topPx - lastScroll.topPx) > JUMP_PX) jumped = true;
  lastScroll = { at, topPx, speed: passed > STILL_MS ? 0 : Math.abs(topPx - lastScroll.topPx) / passed };
}

/** Returns true if the page is not scrolling. */
export function isStill(): boolean {
  return performance.now() - lastScroll.at > STILL_MS;
}

function frame(): void {
  const quiet = isStill();
  given = 0;
  const first = jumped;
  jumped = false;
  if (!first && (quiet || lastScroll.speed < FLYING_PX_PER_MS)) {
    let left = quiet ? PER_FRAME : PER_FRAME_SCROLLING;
    for (const start of waiting) {
      if (left-- === 0) break;
      waiting.delete(start);
      start();
    }
  }
  if (waiting.size > 0) requestAnimationFrame(frame);
  else running = false;
}

/** Calls `start` soon if the page is still and few wait, otherwise queues it. Returns a function that cancels it. */
export function takeTurn(start: () => void): () => void {
  if (waiting.size === 0 && given < PER_FRAME && isStill()) {
    given++;
    if (!running) {
      running = true;
      requestAnimationFrame(frame);
    }
    // in a separate task: one long task would make the page unresponsive
    const task = setTimeout(start);
    return () => clearTimeout(task);
  }
  waiting.add(start);
  if (!running) {
    running = true;
    requestAnimationFrame(frame);
  }
  return () => waiting.delete(start);
}
