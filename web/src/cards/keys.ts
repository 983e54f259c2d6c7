// Who a key is meant for: what is typed into, or moved by arrows itself, keeps its keys.

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "range";
  return target instanceof HTMLElement && target.closest("textarea, select, [contenteditable]") !== null;
}

/** There arrows pan, or move a slider. */
export function ownsArrows(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.line-chart, [data-arrows], input[type="range"]') !== null;
}
