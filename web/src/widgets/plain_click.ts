/** Returns false for clicks with which a browser opens a link elsewhere: a new tab, a new window, a download. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
