// How lines are drawn, and a scene with plain defaults. A new setting that the renderer uses is a member of `LineLook`:
// cards copy it from their settings by name, and a plate is redrawn when it changes.

import type { Scene } from "./types";

/** All members are primitive values: plates compare them one by one. */
export type LineLook = {
  /** The frames have smoothed lines: draw these strong. */
  readonly smoothed: boolean;
  /** Draw the raw line behind the smoothed one, at a quarter of the opacity. */
  readonly faint: boolean;
  readonly markers: "isolated" | "all" | "none";
  /** Mark values outside of the plot. */
  readonly edgeMarks: boolean;
  /** Cut the line where x decreases, and mark the cut. */
  readonly partition: boolean;
  /** Draw a small dot at the newest point of each line. */
  readonly lastPoint: boolean;
};

export const PLAIN_LINES: LineLook & Readonly<Record<keyof LineLook, string | number | boolean>> = {
  smoothed: false,
  faint: false,
  markers: "isolated",
  edgeMarks: false,
  partition: false,
  lastPoint: false,
};

const LOOK_NAMES = Object.keys(PLAIN_LINES) as readonly (keyof LineLook)[];

/** Copies the members of a look from an object that has more, such as the settings of a card. */
export function lookOf(source: LineLook): LineLook {
  return Object.fromEntries(LOOK_NAMES.map((name) => [name, source[name]])) as LineLook;
}

export function sameLook(a: LineLook, b: LineLook): boolean {
  for (const name of LOOK_NAMES) if (a[name] !== b[name]) return false;
  return true;
}

/** Size of exported pictures: 1600 × 900 pixels, with text as large as on the screen of a laptop. */
export const PICTURE = { widthPx: 1000, heightPx: 562.5, scale: 1.6 } as const;

/** A scene before the size of its canvas is known. */
export type UnsizedScene = Omit<Scene, "widthPx" | "heightPx" | "ratio">;

type Needed = "x" | "y" | "layers" | "colors" | "font" | "locale";

/** A scene of plain lines, without selection, crosshair and emphasis, except for `overrides`. */
export function plainScene(
  overrides: Pick<UnsizedScene, Needed> &
    Partial<Omit<UnsizedScene, Needed | "lines">> & { readonly lines?: Partial<LineLook> },
): UnsizedScene {
  return {
    selection: null,
    crosshair: null,
    emphasised: null,
    ...overrides,
    lines: { ...PLAIN_LINES, ...overrides.lines },
  };
}
