// A popover beside its anchor: never clipped by scrolling elements (it is in the browser's top layer), kept inside the
// window, closed by Esc or a click outside. Menus and suggestion lists use it.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { beside } from "../base/beside";
import "./popover.css";

/** An element, or a position in the window, as for context menus. */
export type Anchor = HTMLElement | { readonly xPx: number; readonly yPx: number };

export type PopoverProperties = {
  readonly anchor: Anchor;
  readonly onClose: () => void;
  readonly label: string;
  readonly children: ComponentChildren;
  readonly role?: "dialog" | "menu" | "listbox" | "tooltip";
  /** Placed beside this element, so that it stays visible; by default below or above the anchor. */
  readonly beside?: Element | null | undefined;
  /** Does not move the focus, for lists below a text field. */
  readonly keepFocus?: boolean;
  readonly className?: string;
  /** Id for aria-controls. */
  readonly id?: string;
};

// open popovers; Esc closes the innermost first
const open: object[] = [];

const GAP_PX = 4;
const MARGIN_PX = 8;

function rectOf(anchor: Anchor): { left: number; top: number; right: number; bottom: number } {
  if (anchor instanceof HTMLElement) return anchor.getBoundingClientRect();
  return { left: anchor.xPx, right: anchor.xPx, top: anchor.yPx, bottom: anchor.yPx };
}

function place(box: HTMLElement, anchor: Anchor, visible: Element | null | undefined): void {
  const rect = rectOf(anchor);
  // measure the natural height before limiting it to the available space
  box.style.maxHeight = "";
  const { width, height } = box.getBoundingClientRect();
  if (visible) {
    const at = beside(visible.getBoundingClientRect(), { width, height }, { width: innerWidth, height: innerHeight });
    box.style.maxHeight = `${at.height}px`;
    box.style.left = `${at.left}px`;
    box.style.top = `${at.top}px`;
    return;
  }
  const below = innerHeight - rect.bottom - GAP_PX - MARGIN_PX;
  const above = rect.top - GAP_PX - MARGIN_PX;
  const under = height <= below || below >= above;
  const space = Math.max(80, under ? below : above);
  const shown = Math.min(height, space);
  const fitsRight = rect.left + width <= innerWidth - MARGIN_PX;
  const left = fitsRight ? rect.left : Math.max(MARGIN_PX, Math.min(rect.right, innerWidth - MARGIN_PX) - width);
  box.style.maxHeight = `${space}px`;
  box.style.left = `${left}px`;
  box.style.top = `${under ? rect.bottom + GAP_PX : rect.top - GAP_PX - shown}px`;
}

const FOCUSABLE = 'button:not(:disabled), input:not(:disabled), select, textarea, a[href], [tabindex="0"]';

/** Shows the popover beside its anchor. Returns a function that hides it and restores the focus. */
function show(element: HTMLElement, anchor: Anchor, keepFocus: boolean, onClose: () => void): () => void {
  element.showPopover();
  const before = document.activeElement;
  if (!keepFocus) (element.querySelector<HTMLElement>(FOCUSABLE) ?? element).focus({ preventScroll: true });
  const stop = closeFromOutside(element, anchor, onClose);
  return () => {
    stop();
    const lost = document.activeElement === document.body || element.contains(document.activeElement);
    if (!keepFocus && lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

/** Esc and clicks outside close the innermost popover. */
function closeFromOutside(element: HTMLElement, anchor: Anchor, onClose: () => void): () => void {
  const me = {};
  open.push(me);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || open.at(-1) !== me) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const onPress = (event: Event): void => {
    if (!(event.target instanceof Node) || element.contains(event.target)) return;
    // the anchor handles its own clicks; otherwise the popover would close and open again
    if (anchor instanceof HTMLElement && anchor.contains(event.target)) return;
    // a popover opened from this one is elsewhere in the DOM
    if (open.at(-1) === me) onClose();
  };
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("pointerdown", onPress, true);
  return () => {
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("pointerdown", onPress, true);
    open.splice(open.indexOf(me), 1);
  };
}

/** Keeps the popover beside its anchor while the window is resized or the page scrolls. */
function followAnchor(element: HTMLElement, anchor: Anchor, visible: PopoverProperties["beside"]): () => void {
  const again = (event: Event): void => {
    if (event.target instanceof Node && element.contains(event.target)) return;
    place(element, anchor, visible);
  };
  window.addEventListener("resize", again);
  document.addEventListener("scroll", again, true);
  return () => {
    window.removeEventListener("resize", again);
    document.removeEventListener("scroll", again, true);
  };
}

export function Popover(properties: PopoverProperties): JSX.Element {
  const { anchor, onClose, label, children, role = "dialog", keepFocus = false, className = "", id } = properties;
  const visible = properties.beside;
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    return box.current === null ? undefined : show(box.current, anchor, keepFocus, () => close.current());
  }, [anchor, keepFocus]);
  // the content may have grown
  useLayoutEffect(() => {
    if (box.current !== null) place(box.current, anchor, visible);
  });
  useEffect(() => {
    return box.current === null ? undefined : followAnchor(box.current, anchor, visible);
  }, [anchor, visible]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: each of the roles it can have takes a label
    <div ref={box} id={id} class={`popover ${className}`} popover="manual" role={role} aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}
