// URLs of single blobs (an image, a clip, a page of HTML), built from the response of `/api/steps`. A key is
// base64url(JSON [run, tag, step, wall time, offset, element]); query/blobs.py reads it.

import { recordedAddress } from "./snapshot/blobs";
import { snapshot } from "./snapshot/info";

/** Number of strings before the first element of a value: an image value is [width, height, image, image, ...]. */
const LEADING: Readonly<Record<string, number>> = { images: 2 };

/** Returns the index of the `sample`-th blob among the strings of a value, as a key contains it. */
export function elementOf(kind: string, sample: number): number {
  return sample + (LEADING[kind] ?? 0);
}

/** `step` may be a bigint: a double is not exact beyond 2^53. */
export function blobKey(
  run: string,
  tag: string,
  step: number | bigint,
  wall: number,
  offset: number | bigint,
  element: number,
): string {
  // not JSON.stringify of the list: it can write neither bigints nor NaN, and the server reads both
  const text = `[${JSON.stringify(run)},${JSON.stringify(tag)},${step},${wall},${offset},${element}]`;
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export type BlobOptions = {
  /** For images: the largest width in pixels. The server scales the image down. */
  readonly width?: number | undefined;
};

/**
 * Returns the URL of the blob. Its content never changes, so the browser caches it. The URL is relative to the page, so
 * any path prefix works.
 */
export function blobUrl(
  run: string,
  tag: string,
  step: number | bigint,
  wall: number,
  offset: number | bigint,
  element: number,
  { width }: BlobOptions = {},
): string {
  const key = blobKey(run, tag, step, wall, offset, element);
  if (snapshot !== null) return recordedAddress(key);
  const address = `api/blobs/${key}`;
  return width === undefined ? address : `${address}?width=${Math.max(1, Math.round(width))}`;
}
