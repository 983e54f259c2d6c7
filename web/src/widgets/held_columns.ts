// Sticky columns of a horizontally scrolled table. Each sticky cell is a compositor layer, which makes every change of
// rows slow: cells are sticky only while the user may scroll sideways. The table's frame then has `data-held`; CSS does
// the rest (`position: var(--held)`).

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const SIDEWAYS: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight"]);

export function useHeldColumns(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let expected = false;
    const tell = (): void => {
      const held = element.scrollLeft !== 0 || (expected && element.scrollWidth > element.clientWidth);
      if (held !== element.hasAttribute("data-held")) element.toggleAttribute("data-held", held);
    };
    const expect = (sideways: boolean): void => {
      if (sideways === expected) return;
      expected = sideways;
      tell();
    };
    // not over column heads: a click there sorts, which changes every row
    const onOver = ({ target }: Event): void =>
      expect(target instanceof Element && target.closest('[role="columnheader"]') === null);
    const onLeave = (): void => expect(false);
    const onWheel = ({ deltaX, shiftKey }: WheelEvent): void => {
      if (deltaX !== 0 || shiftKey) expect(true);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (SIDEWAYS.has(key)) expect(true);
    };
    const quietly = { passive: true };
    element.addEventListener("pointerover", onOver, quietly);
    element.addEventListener("pointerleave", onLeave, quietly);
    element.addEventListener("wheel", onWheel, quietly);
    element.addEventListener("keydown", onKey, quietly);
    element.addEventListener("scroll", tell, quietly);
    return () => {
      element.removeEventListener("pointerover", onOver);
      element.removeEventListener("pointerleave", onLeave);
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("keydown", onKey);
      element.removeEventListener("scroll", tell);
    };
  }, [frame]);
}
