// Downloads of a card: its image, and every point of its lines.

import type { Legend, Scene } from "../../chart/types";
import { drawnSet } from "../../state/drawn";
import { reasonOf } from "../../state/explained";
import { drawnRuns, shownName } from "../../state/runs";
import { tell } from "../../state/toasts";
import { askExport } from "../../state/values";
import { texts } from "../../state/view";
import { fileName, saveFile } from "../../widgets/files";
import type { CardModel } from "./card_model";

// a longer legend would be larger than the image
const MOST_IN_LEGEND = 60;

export function legendOf(model: CardModel): Legend {
  const { tags, title } = model.card.peek();
  const several = tags.length > 1;
  const entries: { name: string; color: string; dash: number }[] = [];
  const styles = new Map(model.scene.peek().layers.map((layer) => [layer.id, layer]));
  for (const { id, lines, part } of model.series.layers.peek()) {
    if (part === "raw") continue;
    const layer = styles.get(id);
    lines.groups.forEach((group, i) => {
      if (group.edges !== undefined) return;
      const style = layer?.bands[i];
      if (style !== undefined)
        entries.push({
          name: named(group.label, lines.tags[group.tag], several),
          color: style.color,
          dash: style.dash,
        });
    });
    lines.run.forEach((at, i) => {
      const run = lines.runs[at];
      const style = layer?.styles[i];
      if (run === undefined || style === undefined || !drawnSet.peek().has(run)) return;
      entries.push({
        name: named(shownName(run), lines.tags[lines.tag[i] ?? 0], several),
        color: style.color,
        dash: style.dash,
      });
    });
  }
  return { title, entries };
}

function named(run: string, tag: string | undefined, several: boolean): string {
  return several && tag !== undefined ? `${run} · ${tag}` : run;
}

async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const reason = reasonOf(error);
    tell(texts.value.timeseries.downloadFailed(reason), { kind: "error" });
  }
}

const PICTURE_RATIO = 2;

export function downloadPicture(
  model: CardModel,
  kind: "png" | "svg",
  sizePx: { width: number; height: number },
): void {
  const chart = model.chart.current;
  if (chart === null) return;
  const scene: Scene = {
    ...model.scene.peek(),
    widthPx: sizePx.width,
    heightPx: sizePx.height,
    ratio: 1,
    crosshair: null,
    emphasised: null,
  };
  const { title, entries } = legendOf(model);
  const legend = { title, entries: entries.slice(0, MOST_IN_LEGEND) };
  void told(chart.picture(scene, legend, kind, PICTURE_RATIO).then((file) => saveFile(fileName(title, kind), file)));
}

export function downloadPoints(model: CardModel, format: "csv" | "json" | "parquet"): void {
  const { tags, title, edges } = model.card.peek();
  const { rewinds } = model.settings.peek();
  const all = edges === undefined ? tags : [...new Set([...tags, ...edges.lower, ...edges.upper])];
  const question = { format, tag: all, run: drawnRuns.peek(), ...(rewinds === "board" ? {} : { rewinds }) };
  void told(
    askExport(question as Parameters<typeof askExport>[0]).then((file) => saveFile(fileName(title, format), file)),
  );
}
