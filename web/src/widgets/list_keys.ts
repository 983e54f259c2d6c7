// Keyboard handling of a text field with a list below it: computes the active option and the requested action. Pure
// functions.

const PAGE = 8;

/** Returns the next or previous option, wrapping around at the ends. -1 is no option. */
export function stepAround(active: number, by: -1 | 1, count: number): number {
  if (count === 0) return active;
  const from = active < 0 && by < 0 ? 0 : active;
  return (from + by + count) % count;
}

/** Returns the option after an arrow or page key; null for other keys. */
export function activeAfterKey(key: string, active: number, count: number): number | null {
  if (key === "ArrowDown" || key === "ArrowUp")
    return count === 0 ? 0 : stepAround(active, key === "ArrowDown" ? 1 : -1, count);
  if (key !== "PageDown" && key !== "PageUp") return null;
  const target = active + (key === "PageDown" ? PAGE : -PAGE);
  return Math.max(0, Math.min(count - 1, target));
}

/** State of a search box's list: open or not, and its active option, -1 for none. */
export type ListState = { readonly open: boolean; readonly active: number };

export const CLOSED: ListState = { open: false, active: -1 };

/** `choose` takes the active option, `enter` the text as it is; `leave` removes the focus and keeps the text. */
export type ListRequest = "choose" | "enter" | "leave" | "moved" | null;

export type ListOutcome = { readonly state: ListState; readonly request: ListRequest };

/** Returns the effect of a key in a search box with this many options. The open list itself handles Esc and closes. */
export function afterKey(state: ListState, key: string, options: number): ListOutcome {
  const listed = state.open && options > 0;
  const chosen = listed && state.active >= 0 && state.active < options;
  if (listed && (key === "ArrowDown" || key === "ArrowUp")) {
    const active = stepAround(state.active, key === "ArrowDown" ? 1 : -1, options);
    return { state: { ...state, active }, request: "moved" };
  }
  if (key === "ArrowDown") return { state: { ...state, open: true }, request: null };
  if ((key === "Enter" || key === "Tab") && chosen) return { state, request: "choose" };
  if (key === "Enter") return { state: { ...state, open: false }, request: "enter" };
  if (key === "Escape" && !listed) return { state, request: "leave" };
  return { state, request: null };
}
