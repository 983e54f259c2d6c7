// Downloads of a card: its image, which can be copied, too, and every point of its lines.

import { PICTURE } from "../../chart/scene";
import type { Legend, Scene } from "../../chart/types";
import { drawnSet } from "../../state/drawn";
import { reasonOf } from "../../state/explained";
import { drawnRuns, shownName } from "../../state/runs";
import { tell } from "../../state/toasts";
import { askExport } from "../../state/values";
import { texts } from "../../state/view";
import { fileName, saveFile } from "../../widgets/files";
import type { CardModel } from "./card_model";

// a longer legend would be larger than the plot
const MOST_IN_LEGEND = 100;

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

export function downloadPicture(model: CardModel, kind: "png" | "svg"): void {
  const picture = pictureOf(model, kind);
  if (picture === null) return;
  void told(picture.then((file) => saveFile(fileName(model.card.peek().title, kind), file)));
}

/** Copies the picture of a chart to the clipboard. */
export function copyPicture(model: CardModel): void {
  const words = texts.value.timeseries;
  const picture = pictureOf(model, "png");
  if (picture === null) return;
  // the clipboard takes the promise: after waiting for the picture, the click would no longer allow writing
  const write = async (): Promise<void> => navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  void write().then(
    () => tell(words.pictureCopied),
    () => tell(words.pictureNotCopied, { kind: "error" }),
  );
}

function pictureOf(model: CardModel, kind: "png" | "svg"): Promise<Blob> | null {
  const { widthPx, heightPx, scale } = PICTURE;
  const scene: Scene = { ...model.scene.peek(), widthPx, heightPx, ratio: 1, crosshair: null, emphasised: null };
  return model.chart.current?.picture(scene, shortLegend(legendOf(model)), kind, scale) ?? null;
}

function shortLegend({ title, entries }: Legend): Legend {
  const more = entries.length - MOST_IN_LEGEND;
  if (more <= 0) return { title, entries };
  const rest = { name: texts.value.timeseries.moreInLegend(more), color: "transparent", dash: 0 };
  return { title, entries: [...entries.slice(0, MOST_IN_LEGEND), rest] };
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
