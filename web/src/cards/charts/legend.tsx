// Names below a chart: a click shows only this run, Ctrl+click hides it.

import type { JSX } from "preact";
import { shortNames } from "../../base/short_names";
import { drawnSet } from "../../state/drawn";
import { drawnRuns, shownName, tick, tickAll, tickOnly } from "../../state/runs";
import { member, texts } from "../../state/view";
import type { CardModel } from "./card_model";
import { DashSample } from "./dash_sample";
import "./legend.css";

const legend = member("legend");

const MOST_ENTRIES = 24;
const MOST_LETTERS = 28;

type Entry = {
  readonly key: string;
  readonly run: string | null;
  readonly name: string;
  readonly color: string;
  readonly dash: number;
};

export function Legend({ model, full }: { readonly model: CardModel; readonly full: boolean }): JSX.Element | null {
  if (!legend.value && !full) return null;
  const words = texts.value.timeseries;
  const entries = entriesOf(model);
  const shown = entries.slice(0, full ? 200 : MOST_ENTRIES);
  const short = shortNames(
    shown.map(({ name }) => name),
    MOST_LETTERS,
  );
  return (
    <div class={full ? "legend legend--full" : "legend"} title={words.legendHint}>
      {shown.map(({ key, run, name, color, dash }) => (
        <button
          key={key}
          type="button"
          class="legend__entry"
          title={name}
          disabled={run === null}
          onClick={(event) => {
            if (run === null) return;
            if (event.ctrlKey || event.metaKey) tick([run], false);
            else if (drawnRuns.peek().length === 1) tickAll();
            else tickOnly([run]);
          }}
        >
          <DashSample color={color} dash={dash} />
          <span>{short.get(name)}</span>
        </button>
      ))}
      {entries.length > shown.length && (
        <span class="legend__more">{words.moreInLegend(entries.length - shown.length)}</span>
      )}
    </div>
  );
}

/** Returns an entry for each line of a card. `named`: with its tag, even if there is only one tag. */
export function entriesOf(model: CardModel, named = false): readonly Entry[] {
  const several = named || model.card.value.tags.length > 1;
  const styles = new Map(model.scene.value.layers.map((layer) => [layer.id, layer]));
  const entries: Entry[] = [];
  for (const { id, lines, part } of model.series.layers.value) {
    const layer = styles.get(id);
    if (part === "raw" || layer === undefined) continue;
    lines.groups.forEach((group, i) => {
      if (group.edges !== undefined) return;
      const style = layer.bands[i];
      const tag = lines.tags[group.tag] ?? "";
      const name = several ? `${group.label} · ${tag}` : group.label;
      if (style !== undefined)
        entries.push({ key: `g${tag}\n${group.label}`, run: null, name, color: style.color, dash: style.dash });
    });
    lines.run.forEach((at, i) => {
      const run = lines.runs[at];
      const style = layer.styles[i];
      if (run === undefined || style === undefined || !drawnSet.value.has(run)) return;
      const tag = lines.tags[lines.tag[i] ?? 0] ?? "";
      const name = several ? `${shownName(run)} · ${tag}` : shownName(run);
      entries.push({ key: `${tag}\n${run}`, run, name, color: style.color, dash: style.dash });
    });
  }
  return entries;
}
