// What pointer and wheel do on the graph, as calls. Places are pixels from the upper left corner of the view.

export type Gestures = {
  readonly move: (dxPx: number, dyPx: number) => void;
  readonly zoom: (factor: number, xPx: number, yPx: number) => void;
  /** Null: the pointer has left. */
  readonly hover: (xPx: number | null, yPx: number | null) => void;
  readonly click: (xPx: number, yPx: number) => void;
  readonly doubleClick: (xPx: number, yPx: number) => void;
  /** Also where in the window. False: nothing is there. */
  readonly menu: (xPx: number, yPx: number, windowX: number, windowY: number) => boolean;
};

// a hand is never quite still
const SLACK_PX = 4;
const ZOOM_PER_PX = 0.0018;
const MOST_STEP_PX = 240;

export function listenTo(element: HTMLElement, gestures: Gestures): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  let pressed: { readonly x: number; readonly y: number } | null = null;
  const at = (event: MouseEvent): { readonly x: number; readonly y: number } => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) {
      pressed = at(event);
      travelled = 0;
    } else pressed = null;
  };
  const onMove = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    const now = at(event);
    if (before === undefined) {
      if (event.target instanceof HTMLCanvasElement) gestures.hover(now.x, now.y);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    const [other] = others;
    pointers.set(event.pointerId, now);
    if (other !== undefined) {
      const apart = (one: { x: number; y: number }): number => Math.hypot(one.x - other.x, one.y - other.y);
      gestures.zoom(apart(now) / Math.max(1, apart(before)), (now.x + other.x) / 2, (now.y + other.y) / 2);
      gestures.move((now.x - before.x) / 2, (now.y - before.y) / 2);
      return;
    }
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (travelled > SLACK_PX) {
      element.dataset.dragging = "";
      gestures.move(now.x - before.x, now.y - before.y);
    }
  };
  const onUp = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    delete element.dataset.dragging;
    if (pressed !== null && travelled <= SLACK_PX && event.type === "pointerup") gestures.click(pressed.x, pressed.y);
    pressed = null;
  };
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = at(event);
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    // with Shift the page goes sideways, as everywhere
    if (event.shiftKey) {
      gestures.move(-(event.deltaX || event.deltaY) * unit, 0);
      return;
    }
    const step = Math.max(-MOST_STEP_PX, Math.min(MOST_STEP_PX, event.deltaY * unit));
    gestures.zoom(Math.exp(-step * ZOOM_PER_PX * (event.ctrlKey ? 4 : 1)), x, y);
  };
  const onDouble = (event: MouseEvent): void => {
    const { x, y } = at(event);
    gestures.doubleClick(x, y);
  };
  const onMenu = (event: MouseEvent): void => {
    const { x, y } = at(event);
    if (gestures.menu(x, y, event.clientX, event.clientY)) event.preventDefault();
  };
  const onLeave = (): void => gestures.hover(null, null);
  element.addEventListener("pointerdown", onDown);
  element.addEventListener("pointermove", onMove);
  element.addEventListener("pointerup", onUp);
  element.addEventListener("pointercancel", onUp);
  element.addEventListener("pointerleave", onLeave);
  element.addEventListener("wheel", onWheel, { passive: false });
  element.addEventListener("dblclick", onDouble);
  element.addEventListener("contextmenu", onMenu);
  return () => {
    element.removeEventListener("pointerdown", onDown);
    element.removeEventListener("pointermove", onMove);
    element.removeEventListener("pointerup", onUp);
    element.removeEventListener("pointercancel", onUp);
    element.removeEventListener("pointerleave", onLeave);
    element.removeEventListener("wheel", onWheel);
    element.removeEventListener("dblclick", onDouble);
    element.removeEventListener("contextmenu", onMenu);
  };
}
