// A box above the page beside what it belongs to: never clipped by what scrolls (it is drawn in the browser's top layer),
// moved to stay in the window, closed by Esc or a press elsewhere. Menus and suggestion lists are made of it.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import "./popover.css";

/** An element, or a place in the window as a context menu has it. */
export type Anchor = HTMLElement | { readonly xPx: number; readonly yPx: number };

export type PopoverProperties = {
  readonly anchor: Anchor;
  readonly onClose: () => void;
  readonly label: string;
  readonly children: ComponentChildren;
  readonly role?: "dialog" | "menu" | "listbox" | "tooltip";
  /** Leave the focus where it is, as below a text field. */
  readonly keepFocus?: boolean;
  readonly className?: string;
  /** What names it with aria-controls. */
  readonly id?: string;
};

// the innermost box answers to Esc first
const open: object[] = [];

const GAP_PX = 4;
const MARGIN_PX = 8;

function rectOf(anchor: Anchor): { left: number; top: number; right: number; bottom: number } {
  if (anchor instanceof HTMLElement) return anchor.getBoundingClientRect();
  return { left: anchor.xPx, right: anchor.xPx, top: anchor.yPx, bottom: anchor.yPx };
}

function place(box: HTMLElement, anchor: Anchor): void {
  const rect = rectOf(anchor);
  // measured before the space left decides how high it may be
  box.style.maxHeight = "";
  const { width, height } = box.getBoundingClientRect();
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

/** Shows the box beside its anchor, until the returned function is called, which gives the focus back. */
function show(element: HTMLElement, anchor: Anchor, keepFocus: boolean, onClose: () => void): () => void {
  element.showPopover();
  place(element, anchor);
  const before = document.activeElement;
  if (!keepFocus) (element.querySelector<HTMLElement>(FOCUSABLE) ?? element).focus({ preventScroll: true });
  const stop = closeFromOutside(element, anchor, onClose);
  return () => {
    stop();
    const lost = document.activeElement === document.body || element.contains(document.activeElement);
    if (!keepFocus && lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

/** Esc and presses elsewhere close the innermost box. */
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
    // the press on the anchor is the anchor's to answer, or it would close and open again
    if (anchor instanceof HTMLElement && anchor.contains(event.target)) return;
    // a box opened from this one lies elsewhere in the page
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

/** The box stays beside its anchor while the window is resized or the page scrolled. */
function followAnchor(element: HTMLElement, anchor: Anchor): () => void {
  const again = (event: Event): void => {
    if (event.target instanceof Node && element.contains(event.target)) return;
    place(element, anchor);
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
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    return box.current === null ? undefined : show(box.current, anchor, keepFocus, () => close.current());
  }, [anchor, keepFocus]);
  // what is inside may have grown
  useLayoutEffect(() => {
    if (box.current !== null) place(box.current, anchor);
  });
  useEffect(() => {
    return box.current === null ? undefined : followAnchor(box.current, anchor);
  }, [anchor]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: each of the roles it can have takes a label
    <div ref={box} id={id} class={`popover ${className}`} popover="manual" role={role} aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}
