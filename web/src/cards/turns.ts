// Charts come onto the page in turns: while the reader scrolls, a few in each frame, and none while the page flies by.

// at a higher speed of scrolling nothing can be read
const FLYING_PX_PER_MS = 4;
const STILL_MS = 120;
// further than this in one go is another place: its cards are made first, their charts in the frames that follow
const JUMP_PX = 400;
const PER_FRAME_SCROLLING = 2;
const PER_FRAME = 4;

const waiting = new Set<() => void>();
let running = false;
/** Turns given since the last frame. */
let given = 0;
let jumped = false;
let lastScroll = { at: Number.NEGATIVE_INFINITY, topPx: 0, speed: 0 };

export function noteScroll(topPx: number): void {
  const at = performance.now();
  const passed = Math.max(1, at - lastScroll.at);
  if (Math.abs(topPx - lastScroll.topPx) > JUMP_PX) jumped = true;
  lastScroll = { at, topPx, speed: passed > STILL_MS ? 0 : Math.abs(topPx - lastScroll.topPx) / passed };
}

/** Whether the page is not scrolling. */
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

/** Calls back soon for the first few while the page stands still, otherwise in turn. The answer gives the turn up. */
export function takeTurn(start: () => void): () => void {
  if (waiting.size === 0 && given < PER_FRAME && isStill()) {
    given++;
    if (!running) {
      running = true;
      requestAnimationFrame(frame);
    }
    // not within the task that made the page: together they would keep it from answering
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
