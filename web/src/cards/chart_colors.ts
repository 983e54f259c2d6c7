// Colors of the theme for the drawing worker, which cannot read style sheets.

import { effect, signal } from "@preact/signals";
import type { ChartColors } from "../chart/types";
import { theme } from "../state/theme";

function read(): ChartColors {
  const style = typeof document === "undefined" ? null : getComputedStyle(document.documentElement);
  const color = (name: string, fallback: string): string => style?.getPropertyValue(name).trim() || fallback;
  return {
    background: color("--card", "#ffffff"),
    text: color("--text", "#1a222d"),
    quiet: color("--quiet", "#566272"),
    grid: color("--line", "#dce1e8"),
    axis: color("--edge", "#848f9d"),
    accent: color("--accent", "#1a62d6"),
  };
}

export const chartColors = signal<ChartColors>(read());

/** Updates the colors when the theme changes; returns a function that stops this. */
export function followColors(): () => void {
  return effect(() => {
    void theme.value;
    // the effect that sets the theme of the page may run after this one
    queueMicrotask(() => {
      chartColors.value = read();
    });
  });
}

/** Font of labels in charts; a worker cannot inherit it from CSS. */
export const CHART_FONT = "11px system-ui, sans-serif";
