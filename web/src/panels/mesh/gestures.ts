// Pointer, wheel and keys that move a camera. One finger or the left button rotates; two fingers, the right or middle
// button, or Shift move; pinching and the wheel zoom.

export type Moves = {
  readonly rotate: (dx: number, dy: number) => void;
  readonly move: (dx: number, dy: number) => void;
  /** Below 1: nearer. */
  readonly zoom: (factor: number) => void;
  readonly reset: () => void;
  /** Something is held, or not any more. */
  readonly hold: (held: boolean) => void;
};

type Place = { readonly x: number; readonly y: number };

const WHEEL = 0.0015;
const KEY_PX = 18;
const KEY_ZOOM = 1.15;

/** The answer stops listening. `wheelAlways`: without Ctrl and without a click before. */
export function listenTo(element: HTMLElement, moves: Moves, wheelAlways: () => boolean): () => void {
  const pointers = new Map<number, Place>();
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ): void => element.addEventListener(name, handle, { signal: stop.signal, passive });

  on("pointerdown", (event) => {
    if (event.button > 2) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) moves.hold(true);
  });
  on("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    pointers.set(event.pointerId, now);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (pointers.size === 2) {
      const [one, other] = [...pointers.values()];
      const rest = one === now ? other : one;
      if (rest === undefined) return;
      const apart = (place: Place): number => Math.max(10, Math.hypot(place.x - rest.x, place.y - rest.y));
      moves.zoom(apart(before) / apart(now));
      moves.move(dx / 2, dy / 2);
    } else if (event.shiftKey || (event.buttons & 6) !== 0) moves.move(dx, dy);
    else moves.rotate(dx, dy);
  });
  const up = (event: PointerEvent): void => {
    if (pointers.delete(event.pointerId) && pointers.size === 0) moves.hold(false);
  };
  on("pointerup", up);
  on("pointercancel", up);
  on("contextmenu", (event) => event.preventDefault(), false);
  on("dblclick", () => moves.reset());
  on(
    "wheel",
    (event) => {
      // a page full of cards must scroll past them
      if (!event.ctrlKey && !event.altKey && !wheelAlways()) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      moves.zoom(Math.exp(WHEEL * lines * event.deltaY));
    },
    false,
  );
  on(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow !== undefined) (event.shiftKey ? moves.move : moves.rotate)(KEY_PX * arrow[0], KEY_PX * arrow[1]);
      else if (event.key === "+" || event.key === "=") moves.zoom(1 / KEY_ZOOM);
      else if (event.key === "-") moves.zoom(KEY_ZOOM);
      else if (event.key === "0") moves.reset();
      else return;
      event.preventDefault();
    },
    false,
  );
  return () => stop.abort();
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
