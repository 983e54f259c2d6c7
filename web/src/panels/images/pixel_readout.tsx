// Position and color of the pixel under the pointer, shown in every image at high zoom, for the same position in each.

import { signal } from "@preact/signals";
import type { JSX, RefObject } from "preact";

/** Position of the pointer in its image, 0 to 1 from the upper left corner. */
export const pointed = signal<{ readonly x: number; readonly y: number } | null>(null);

// minimum size of an image pixel, in screen pixels, for the readout
export const READ_FROM = 8;

type Pixel = { readonly letter: string; readonly x: number; readonly y: number; readonly rgba: readonly number[] };

let one: CanvasRenderingContext2D | null = null;

function reader(): CanvasRenderingContext2D | null {
  if (one !== null) return one;
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  one = canvas.getContext("2d", { willReadFrequently: true });
  return one;
}

function pixelOf(element: Element, at: { readonly x: number; readonly y: number }): Pixel | null {
  const context = reader();
  const isImage = element instanceof HTMLImageElement;
  if (context === null || !(isImage || element instanceof HTMLCanvasElement)) return null;
  const width = isImage ? element.naturalWidth : element.width;
  const height = isImage ? element.naturalHeight : element.height;
  const [x, y] = [Math.floor(at.x * width), Math.floor(at.y * height)];
  try {
    context.clearRect(0, 0, 1, 1);
    context.imageSmoothingEnabled = false;
    context.drawImage(element, x, y, 1, 1, 0, 0, 1, 1);
    return { letter: element.dataset.letter ?? "", x, y, rgba: [...context.getImageData(0, 0, 1, 1).data] };
  } catch {
    // the canvas is tainted and cannot be read, as with some SVG images
    return null;
  }
}

export function PixelReadout({ place }: { readonly place: RefObject<HTMLElement | null> }): JSX.Element | null {
  const at = pointed.value;
  if (at === null || place.current === null) return null;
  const pixels = [...place.current.querySelectorAll("[data-drawn]")].flatMap((element) => pixelOf(element, at) ?? []);
  const [first] = pixels;
  if (first === undefined) return null;
  return (
    <div class="pixel-readout" data-testid="pixel">
      <span>
        {first.x}, {first.y}
      </span>
      {pixels.map(({ letter, rgba }) => (
        <span class="pixel-readout__value" key={letter}>
          {letter !== "" && <b>{letter}</b>}
          <span class="pixel-readout__color" style={{ background: `rgba(${colorParts(rgba)})` }} />
          {valueText(rgba)}
        </span>
      ))}
    </div>
  );
}

function colorParts(rgba: readonly number[]): string {
  const [r = 0, g = 0, b = 0, a = 255] = rgba;
  return `${r}, ${g}, ${b}, ${a / 255}`;
}

/** Gray is one number; alpha is shown only if the pixel is not opaque. */
export function valueText(rgba: readonly number[]): string {
  const [r = 0, g = 0, b = 0, a = 255] = rgba;
  const shown = r === g && g === b ? [r] : [r, g, b];
  return [...shown, ...(a === 255 ? [] : [`α ${a}`])].join(" ");
}
