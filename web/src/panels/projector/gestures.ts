// Pointer, wheel and keys over the points. The left button turns (or moves what is flat), the right one or Ctrl moves;
// Shift, or the box tool, drags a box; pinching and the wheel zoom; what is not dragged is a click.

export type Moves = {
  readonly turn: (dx: number, dy: number) => void;
  readonly move: (dx: number, dy: number) => void;
  /** Below 1: nearer, towards a place of the canvas. */
  readonly zoom: (factor: number, x: number, y: number) => void;
  readonly reset: () => void;
  readonly click: (x: number, y: number, add: boolean) => void;
  readonly hover: (x: number, y: number) => void;
  readonly leave: () => void;
  /** Null: no box. `done`: let go. */
  readonly box: (box: readonly [number, number, number, number] | null, done: boolean) => void;
  readonly clear: () => void;
  readonly hold: (held: boolean) => void;
};

type Place = { readonly x: number; readonly y: number };

const WHEEL = 0.0015;
const KEY_PX = 22;
const KEY_ZOOM = 1.2;
/** A hand trembles by as much. */
const CLICK_PX = 4;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The answer stops listening. `boxing`: dragging selects. */
export function listenTo(element: HTMLElement, moves: Moves, boxing: () => boolean): () => void {
  const pointers = new Map<number, Place>();
  let from: Place | null = null;
  let dragged = false;
  let box: readonly [number, number] | null = null;
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ): void => element.addEventListener(name, handle, { signal: stop.signal, passive });
  const placeOf = (event: MouseEvent): Place => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  on("pointerdown", (event) => {
    if (event.button > 2 || event.target instanceof HTMLButtonElement) return;
    element.setPointerCapture(event.pointerId);
    const place = placeOf(event);
    pointers.set(event.pointerId, place);
    if (pointers.size > 1) {
      box = null;
      moves.box(null, false);
      dragged = true;
      return;
    }
    from = place;
    dragged = false;
    box = event.button === 0 && (event.shiftKey || boxing()) ? [place.x, place.y] : null;
    moves.hold(true);
  });
  on("pointermove", (event) => {
    const now = placeOf(event);
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") moves.hover(now.x, now.y);
      return;
    }
    if (from !== null && Math.hypot(now.x - from.x, now.y - from.y) > CLICK_PX) dragged = true;
    if (!dragged) return;
    pointers.set(event.pointerId, now);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (pointers.size === 2) {
      const [one, other] = [...pointers.values()];
      const rest = one === now ? other : one;
      if (rest === undefined) return;
      const apart = (place: Place): number => Math.max(10, Math.hypot(place.x - rest.x, place.y - rest.y));
      moves.zoom(apart(before) / apart(now), (now.x + rest.x) / 2, (now.y + rest.y) / 2);
      moves.move(dx / 2, dy / 2);
    } else if (box !== null) moves.box([...box, now.x, now.y], false);
    else if (event.ctrlKey || event.metaKey || (event.buttons & 6) !== 0) moves.move(dx, dy);
    else moves.turn(dx, dy);
  });
  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
    const place = placeOf(event);
    moves.hold(false);
    if (box !== null && dragged) moves.box([...box, place.x, place.y], event.type === "pointerup");
    else if (!dragged && event.button === 0 && event.type === "pointerup") {
      moves.click(place.x, place.y, event.ctrlKey || event.metaKey);
    }
    box = null;
    from = null;
  };
  on("pointerup", up);
  on("pointercancel", up);
  on("pointerleave", () => moves.leave());
  on("contextmenu", (event) => event.preventDefault(), false);
  on("dblclick", (event) => {
    if (!(event.target instanceof HTMLButtonElement)) moves.reset();
  });
  on(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      const { x, y } = placeOf(event);
      moves.zoom(Math.exp(WHEEL * lines * event.deltaY), x, y);
    },
    false,
  );
  on(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== element) return;
      const arrow = ARROWS[event.key];
      const { clientWidth: width, clientHeight: height } = element;
      if (arrow !== undefined) (event.shiftKey ? moves.move : moves.turn)(KEY_PX * arrow[0], KEY_PX * arrow[1]);
      else if (event.key === "+" || event.key === "=") moves.zoom(1 / KEY_ZOOM, width / 2, height / 2);
      else if (event.key === "-") moves.zoom(KEY_ZOOM, width / 2, height / 2);
      else if (event.key === "0") moves.reset();
      else if (event.key === "Escape") moves.clear();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    false,
  );
  return () => stop.abort();
}
