// Shuffles trials, so that drawing the first of them already looks like the whole picture.

/** Returns a pseudo-random order, the same every time. */
export function shuffled(trials: Int32Array): Int32Array {
  const order = trials.slice();
  let state = 0x9e3779b9;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // the low bits of this generator have a short period
    const other = (state >>> 8) % (at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

export function sampled(trials: Int32Array, most: number): Int32Array {
  return trials.length <= most ? trials : shuffled(trials).subarray(0, most);
}
