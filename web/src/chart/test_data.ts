// Frames and scenes for the tests of this room.

import type { Header } from "./layers";
import { type LineLook, plainScene } from "./scene";
import type { Scene, SeriesStyle } from "./types";

/**
 * Three series of six columns: the first has gaps and both infinities in one column, the second is empty, the third has
 * a NaN in one column.
 */
export const COLUMNS = Uint8Array.from(
  atob(
    "TEJDMQMAAAAGAAAACAAAAAAAAAAAAABAAAAAAAAACEAAAAAAAECPQAIAAAgAAAAAM8ADCIAAjdoNhgckVPUCAwVsBgsEAI5BluJvcFR3AgEDYwkJBAAEAAcABwAABwYB",
  ),
  (character) => character.charCodeAt(0),
);

type Arrays = Readonly<Record<string, readonly number[] | Uint8Array>>;

/** Encodes a frame as the server does; number arrays become f8, bytes u1. */
export function frameOf(header: Partial<Header>, arrays: Arrays): ArrayBuffer {
  const entries: { name: string; type: string; length: number; at: number }[] = [];
  let at = 0;
  for (const [name, values] of Object.entries(arrays)) {
    const bytes = values instanceof Uint8Array;
    entries.push({ name, type: bytes ? "u1" : "f8", length: values.length, at });
    at += Math.ceil((values.length * (bytes ? 1 : 8)) / 8) * 8;
  }
  const empty: Header = { x: "step", lo: 0, hi: 1, run: [], columns: [], exact: [], kept: [], groups: [] };
  const text = new TextEncoder().encode(JSON.stringify({ ...empty, ...header, arrays: entries }));
  const start = 8 + Math.ceil(text.length / 8) * 8;
  const buffer = new ArrayBuffer(start + at);
  new DataView(buffer).setUint32(0, 0x3146424c, true);
  new DataView(buffer).setUint32(4, text.length, true);
  new Uint8Array(buffer, 8).set(text);
  entries.forEach((entry, i) => {
    const values = Object.values(arrays)[i] ?? [];
    const view = entry.type === "u1" ? Uint8Array : Float64Array;
    new view(buffer, start + entry.at, entry.length).set(values);
  });
  return buffer;
}

/** Series encoded as points: lists of [x, value]. */
export function pointsFrame(...series: readonly (readonly (readonly [number, number])[])[]): ArrayBuffer {
  const all = series.flat();
  const run = series.map((_, i) => i);
  return frameOf(
    { run, exact: run, kept: series.map((points) => points.length) },
    { step: all.map(([x]) => x), wall_time: all.map(([x]) => x), value: all.map(([, value]) => value) },
  );
}

export function columnsFrame(): ArrayBuffer {
  return frameOf({ lo: 0, hi: 60, run: [0, 1, 2], columns: [0, 1, 2] }, { columns: COLUMNS });
}

export function styleOf(color: string, rest: Partial<SeriesStyle> = {}): SeriesStyle {
  return { color, dash: 0, widthPx: 1.5, visible: true, ...rest };
}

export type SceneOverrides = Partial<Omit<Scene, "lines">> & { readonly lines?: Partial<LineLook> };

/** A plot of 100 × 100 px at (40, 8) for x and y from 0 to 10. */
export function sceneOf({ widthPx = 152, heightPx = 130, ratio = 1, ...rest }: SceneOverrides = {}): Scene {
  const scene = plainScene({
    x: { scale: "linear", lo: 0, hi: 10, format: "step" },
    y: { scale: "linear", lo: 0, hi: 10, format: "number" },
    layers: [],
    colors: {
      background: "#ffffff",
      text: "#111111",
      quiet: "#555555",
      grid: "#eeeeee",
      axis: "#999999",
      accent: "#1f6feb",
    },
    font: "11px sans-serif",
    locale: "en",
    ...rest,
  });
  return { ...scene, widthPx, heightPx, ratio };
}
