// A logged page may not take the keyboard: what the reader types is for the board until a page is clicked, or reached by
// the Tab key.

const TAB_MS = 500;
let lastTab = Number.NEGATIVE_INFINITY;
let lastFocused: Element | null = null;

/** Gives the focus back to where it was whenever the frame takes it by itself. */
export function guardFocus(frame: HTMLIFrameElement): () => void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  addEventListener(
    "keydown",
    ({ key, timeStamp }) => {
      if (key === "Tab") lastTab = timeStamp;
    },
    options,
  );
  addEventListener(
    "focusin",
    ({ target }) => {
      if (target instanceof Element && !(target instanceof HTMLIFrameElement)) lastFocused = target;
    },
    options,
  );
  addEventListener(
    "blur",
    ({ target, timeStamp }) => {
      if (target !== window || document.activeElement !== frame) return;
      // a click inside of a frame counts as one on the page around it
      const clicked = frame.matches(":hover") && navigator.userActivation?.isActive !== false;
      if (clicked || timeStamp - lastTab < TAB_MS) return;
      // the frame is taking it while this event arrives; what has been taken can be given back
      setTimeout(() => giveBack(frame));
    },
    options,
  );
  return () => stop.abort();
}

function giveBack(frame: HTMLIFrameElement): void {
  if (document.activeElement !== frame) return;
  frame.blur();
  window.focus();
  if (lastFocused instanceof HTMLElement && lastFocused.isConnected) lastFocused.focus({ preventScroll: true });
}
