// Prefetches the images of neighboring steps, so that playback is smooth.

const KEPT = 96;
const kept = new Map<string, HTMLImageElement>();

function fetchAhead(url: string): void {
  if (kept.has(url)) return;
  const image = new Image();
  image.decoding = "async";
  image.fetchPriority = "low";
  image.src = url;
  kept.set(url, image);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

// debounce: while a slider is dragged, prefetching is useless
const PAUSE_MS = 120;

/** Prefetches after a pause. Returns a cancel function. */
export function prefetch(urls: readonly string[]): () => void {
  const timer = setTimeout(() => urls.forEach(fetchAhead), PAUSE_MS);
  return () => clearTimeout(timer);
}
