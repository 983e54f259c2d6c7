// Addresses of single blobs (a picture, a clip, a page), made by the page from what `/api/steps` tells.
// The server's half is query/blobs.py: base64url(JSON [run, tag, step, wall time, offset, element]).

/** Strings of a value that stand before its first element: an image value is [width, height, image, image, ...]. */
const LEADING: Readonly<Record<string, number>> = { images: 2 };

/** The number of the `sample`-th blob among the strings of a value: what a key names. */
export function elementOf(kind: string, sample: number): number {
  return sample + (LEADING[kind] ?? 0);
}

/** `step` may be a bigint: beyond 2^53 a double cannot tell it from its neighbors. */
export function blobKey(
  run: string,
  tag: string,
  step: number | bigint,
  wall: number,
  offset: number | bigint,
  element: number,
): string {
  // by hand: JSON has neither bigints nor NaN, both of which the server reads
  const text = `[${JSON.stringify(run)},${JSON.stringify(tag)},${step},${wall},${offset},${element}]`;
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export type BlobOptions = {
  /** Of a picture: at most so many pixels wide, made smaller by the server. */
  readonly width?: number | undefined;
};

/** Where the blob is. It never changes, so the browser keeps it. Relative to the page, so any path prefix works. */
export function blobUrl(
  run: string,
  tag: string,
  step: number | bigint,
  wall: number,
  offset: number | bigint,
  element: number,
  { width }: BlobOptions = {},
): string {
  const address = `api/blobs/${blobKey(run, tag, step, wall, offset, element)}`;
  return width === undefined ? address : `${address}?width=${Math.max(1, Math.round(width))}`;
}
