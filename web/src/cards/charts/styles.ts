// Styles of the lines of a response: colors by run, dashes by tag; hidden runs are not drawn.

import type { SeriesStyle } from "../../chart/types";
import type { HeldLayer } from "../../state/series";

export type LayerStyles = { readonly styles: readonly SeriesStyle[]; readonly bands: readonly SeriesStyle[] };

export type Look = {
  readonly colorOf: (run: string) => string;
  readonly colorOfGroup: (label: string) => string;
  readonly dashOf: (run: string) => number;
  readonly isDrawn: (run: string) => boolean;
  /** All tags of the card; if there are several, each has its own dash pattern. */
  readonly tags: readonly string[];
};

const LINE_PX = 1.5;

export function stylesOf({ lines }: Pick<HeldLayer, "lines">, look: Look): LayerStyles {
  const dash = lines.tags.map((tag) => Math.max(0, look.tags.indexOf(tag)));
  const several = look.tags.length > 1;
  const runs = lines.runs.map((run) => ({
    color: look.colorOf(run),
    visible: look.isDrawn(run),
    dash: several ? 0 : look.dashOf(run),
  }));
  const styles = lines.run.map((run, series): SeriesStyle => {
    const { color, visible, dash: own } = runs[run] ?? { color: "#888888", visible: false, dash: 0 };
    return { color, visible, dash: several ? (dash[lines.tag[series] ?? 0] ?? 0) : own, widthPx: LINE_PX };
  });
  const bands = lines.groups.map(({ label, tag, edges }): SeriesStyle => {
    // the area between edges: its line is a separate series
    if (edges !== undefined) return { color: look.colorOf(label), dash: 0, widthPx: 0, visible: look.isDrawn(label) };
    return { color: look.colorOfGroup(label), dash: dash[tag] ?? 0, widthPx: LINE_PX, visible: true };
  });
  return { styles, bands };
}

function sameStyle(a: SeriesStyle, b: SeriesStyle | undefined): boolean {
  return (
    b !== undefined && a.color === b.color && a.visible === b.visible && a.dash === b.dash && a.widthPx === b.widthPx
  );
}

/** Returns the old arrays if nothing changed, so that nothing is sent to the worker or redrawn. */
export function keepSame(before: LayerStyles | undefined, now: LayerStyles): LayerStyles {
  if (before === undefined) return now;
  const same = (a: readonly SeriesStyle[], b: readonly SeriesStyle[]): boolean =>
    a.length === b.length && a.every((style, i) => sameStyle(style, b[i]));
  return {
    styles: same(before.styles, now.styles) ? before.styles : now.styles,
    bands: same(before.bands, now.bands) ? before.bands : now.bands,
  };
}
