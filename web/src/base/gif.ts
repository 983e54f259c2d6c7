// Reads from the blocks of a GIF how long each frame is shown. The browser decodes the images.
//
//   header 6 · screen 7 (size, flags) · colors · blocks: 21 f9 (delay), 21 .. (others), 2c (an image), 3b (the end)

export type GifFrames = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Start of each frame in seconds. */
  readonly times: readonly number[];
  readonly seconds: number;
};

// browsers show frames with a shorter delay for this long
const USUAL_SECONDS = 0.1;
const SHORTEST_HUNDREDTHS = 2;

/** Returns null if the bytes are not a GIF. A truncated GIF has the frames up to its end. */
export function gifFrames(bytes: Uint8Array): GifFrames | null {
  const text = String.fromCharCode(...bytes.subarray(0, 6));
  if ((text !== "GIF87a" && text !== "GIF89a") || bytes.length < 13) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const times: number[] = [];
  let seconds = 0;
  let delay = USUAL_SECONDS;
  let at = 13 + colours(view.getUint8(10));
  while (at + 1 < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x21) {
      if (bytes[at + 1] === 0xf9 && at + 6 < bytes.length) {
        const hundredths = view.getUint16(at + 4, true);
        delay = hundredths < SHORTEST_HUNDREDTHS ? USUAL_SECONDS : hundredths / 100;
      }
      at = behindBlocks(bytes, at + 2);
    } else if (kind === 0x2c && at + 10 < bytes.length) {
      times.push(seconds);
      seconds = Math.round((seconds + delay) * 1e6) / 1e6;
      delay = USUAL_SECONDS;
      at = behindBlocks(bytes, at + 11 + colours(bytes[at + 9] ?? 0));
    } else break;
  }
  return { widthPx: view.getUint16(6, true), heightPx: view.getUint16(8, true), times, seconds };
}

/** Returns the size of a color table in bytes. */
function colours(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function behindBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}
