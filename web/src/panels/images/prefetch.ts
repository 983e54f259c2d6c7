// Pictures of the steps beside the one on display, fetched before they are asked for: so that play is fluid.

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

// while a slider is dragged, what lies beside each place is of no use
const PAUSE_MS = 120;

/** After a moment of rest; the answer gives it up. */
export function prefetch(urls: readonly string[]): () => void {
  const timer = setTimeout(() => urls.forEach(fetchAhead), PAUSE_MS);
  return () => clearTimeout(timer);
}
