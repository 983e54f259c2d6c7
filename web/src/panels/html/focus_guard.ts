// Keeps a logged page from stealing the keyboard focus: keys go to the board until the user clicks the page or reaches
// it with Tab.

const TAB_MS = 500;
let lastTab = Number.NEGATIVE_INFINITY;
let lastFocused: Element | null = null;

/** Returns the focus to the previous element whenever the iframe takes it without a user action. */
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
      // a click inside of an iframe counts as an activation of the outer page
      const clicked = frame.matches(":hover") && navigator.userActivation?.isActive !== false;
      if (clicked || timeStamp - lastTab < TAB_MS) return;
      // the focus changes only after this event: return it in the next task
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
