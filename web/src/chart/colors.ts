// Parses CSS colors to numbers, for code that writes pixels directly.

import type { AnyCanvas, AnyContext } from "./plate";
import type { Rgba } from "./raster";

/** Parses #rrggbb itself; any other color is resolved by the browser, once per color. */
export function colorReader(makeCanvas: (width: number, height: number) => AnyCanvas): (color: string) => Rgba {
  const known = new Map<string, Rgba>();
  let probe: AnyContext | null = null;
  const ask = (color: string): Rgba => {
    probe ??= makeCanvas(1, 1).getContext("2d", { willReadFrequently: true }) as AnyContext;
    return readColor(probe, color);
  };
  return (color) => {
    const rgba = known.get(color) ?? parseHex(color) ?? ask(color);
    known.set(color, rgba);
    return rgba;
  };
}

export function parseHex(color: string): Rgba | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  const number = Number.parseInt(color.slice(1), 16);
  return (0xff000000 | ((number & 255) << 16) | (number & 0xff00) | (number >>> 16)) >>> 0;
}

function readColor(probe: AnyContext, color: string): Rgba {
  probe.fillStyle = "#808080"; // stays if the browser cannot parse the color
  probe.fillStyle = color;
  probe.clearRect(0, 0, 1, 1);
  probe.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data;
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}
