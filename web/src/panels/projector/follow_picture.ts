// Sends changes of look, colors, labels and images to the worker; writes the number of drawings into the canvas element
// for tests and benchmarks.

import { effect } from "@preact/signals";
import { CHART_FONT, chartColors } from "../../cards/chart_colors";
import { cellsVersion, embedding, embeddingKey, labelColumn, loadSheet, wantRows } from "../../state/projector";
import { cellText, editsVersion } from "../../state/projector_edits";
import { selected } from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { theme } from "../../state/theme";
import { member, spoken } from "../../state/view";
import { followColoring } from "./coloring";
import { drawn, tellStage, wanted } from "./stage";

const labels = member("projectorLabels");
const images = member("projectorImages");
const pointSize = member("projectorPointSize");
const painter = member("projectorPainter");
const method = member("projectorMethod");
const components = member("projectorComponents");

export function followPicture(canvas: HTMLCanvasElement): () => void {
  const stops = [
    effect(tellLook),
    followColoring((coloring) => tellStage({ type: "colors", coloring })),
    effect(tellSprite),
    followLabels(),
    effect(() => {
      const picture = drawn.value;
      if (picture === null) return;
      canvas.dataset.drawn = String(picture.points);
      canvas.dataset.rows = String(picture.rows);
      canvas.dataset.frames = String(picture.frames);
      canvas.dataset.ms = picture.ms.toFixed(1);
      canvas.dataset.moving = String(picture.moving);
      canvas.dataset.key = picture.key;
      canvas.dataset.painter = picture.by;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function tellLook(): void {
  const colors = chartColors.value;
  const words = spoken(projectorWords);
  const dark = theme.value === "dark";
  const axes = method.value === "pca" ? components.value.map((at) => words.component1(at + 1)) : [];
  tellStage({
    type: "look",
    look: {
      background: colors.background,
      text: colors.text,
      quiet: colors.quiet,
      line: colors.grid,
      accent: colors.accent,
      plain: dark ? "#6ea8e6" : "#3f74b5",
      faded: dark ? "#4a5563" : "#b4bdc9",
      font: CHART_FONT,
      labels: labels.value,
      images: images.value,
      pointSize: pointSize.value,
      painter: painter.value,
      axes: [axes[0] ?? "", axes[1] ?? "", axes[2] ?? ""],
    },
  });
}

/** Sends the whole sprite sheet once; the worker cuts it. */
function tellSprite(): (() => void) | undefined {
  const of = embedding.value;
  const sprite = of?.sprite ?? null;
  tellStage({ type: "sprite", sheet: null, width: 1, height: 1 });
  if (of === null || sprite === null) return;
  const giveUp = new AbortController();
  loadSheet(of, giveUp.signal).then(
    (sheet) => {
      if (giveUp.signal.aborted || sheet === null) return;
      tellStage({ type: "sprite", sheet, width: sprite.width, height: sprite.height }, [sheet]);
    },
    // without the sheet, points are drawn as discs
    () => {},
  );
  return () => giveUp.abort();
}

function followLabels(): () => void {
  let sent = new Set<number>();
  let of = "";
  const stops = [
    effect(() => {
      if (wanted.value.length > 0) wantRows(wanted.value);
    }),
    effect(() => {
      void cellsVersion.value;
      const column = labelColumn.value;
      const name = `${embeddingKey.value} ${column} ${editsVersion.value}`;
      const fresh = name !== of;
      if (fresh) sent = new Set();
      of = name;
      const texts = new Map<number, string>();
      for (const row of [...wanted.value, ...(fresh ? selected.value.subarray(0, 100) : [])]) {
        if (sent.has(row)) continue;
        const text = column === "" ? String(row) : cellText(row, column);
        if (text === undefined) continue;
        texts.set(row, text);
        sent.add(row);
      }
      if (fresh || texts.size > 0) tellStage({ type: "labels", texts, fresh });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
