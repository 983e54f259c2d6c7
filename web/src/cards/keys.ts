// Tests whether the target of a key event handles the key itself: text fields, and elements that arrows move.

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "range";
  return target instanceof HTMLElement && target.closest("textarea, select, [contenteditable]") !== null;
}

/** Returns true if arrows pan the target (a chart) or move it (a slider). */
export function ownsArrows(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.line-chart, [data-arrows], input[type="range"]') !== null;
}
