// Names and last values below a chart: a click shows only this run, Ctrl+click hides it.

import type { JSX } from "preact";
import { formatNumber } from "../../base/numbers";
import { shortNames } from "../../base/short_names";
import { drawnSet } from "../../state/drawn";
import { drawnRuns, shownName, tick, tickAll, tickOnly } from "../../state/runs";
import { member, texts } from "../../state/view";
import type { CardModel } from "./card_model";
import { DashSample } from "./dash_sample";
import "./legend.css";
import { fitLegend } from "./legend_fit";
import { FEW_LINES } from "./step_table_size";

const legend = member("legend");

const MOST_ENTRIES = 24;
const MOST_EXPANDED = 200;
const LEAST_LETTERS = 24;
const LETTER_PX = 7;
// color sample, value and paddings beside a name
const BESIDE_NAME_PX = 80;
// of the card and of the legend
const MARGINS_PX = 20;

type Entry = {
  readonly key: string;
  readonly run: string | null;
  readonly name: string;
  readonly color: string;
  readonly dash: number;
  /** The last value, as a name if it is not finite; null if there is none. */
  readonly last: number | string | null;
};

export function Legend({ model, full }: { readonly model: CardModel; readonly full: boolean }): JSX.Element | null {
  const words = texts.value.timeseries;
  const entries = entriesOf(model);
  const short = legend.value === "auto" && !full;
  if ((legend.value === "off" && !full) || (short && entries.length > FEW_LINES)) return null;
  const { names, columns } = fitOf(entries, full ? "full" : short ? "short" : "all", model.widthPx.value);
  const shown = entries.slice(0, names.length);
  return (
    <div
      class={full ? "legend legend--full" : short ? "legend legend--short" : "legend"}
      style={columns === null ? undefined : { gridTemplateColumns: `repeat(${columns}, minmax(0, max-content))` }}
      data-testid="legend"
    >
      {shown.map(({ key, run, name, color, dash, last }, i) => (
        <button
          key={key}
          type="button"
          class="legend__entry"
          title={`${name}\n${words.legendHint}`}
          disabled={run === null}
          onClick={(event) => {
            if (run === null) return;
            if (event.ctrlKey || event.metaKey) tick([run], false);
            else if (drawnRuns.peek().length === 1) tickAll();
            else tickOnly([run]);
          }}
        >
          <DashSample color={color} dash={dash} />
          <span class="legend__name">{names[i]}</span>
          {last !== null && <span class="legend__value">{valueText(last)}</span>}
        </button>
      ))}
      {entries.length > shown.length && (
        <span class="legend__more">{words.moreInLegend(entries.length - shown.length)}</span>
      )}
    </div>
  );
}

function valueText(last: Entry["last"]): string {
  return last === null ? "" : formatNumber(Number(last));
}

type Fit = { readonly names: readonly string[]; readonly columns: number | null };

/** Returns the names of the entries that are shown; a short legend has columns. */
function fitOf(entries: readonly Entry[], form: "full" | "all" | "short", cardPx: number): Fit {
  if (form === "full") return { names: entries.slice(0, MOST_EXPANDED).map(({ name }) => name), columns: null };
  const shown = entries.slice(0, MOST_ENTRIES).map(({ name, last }) => ({ name, value: valueText(last) }));
  const shortAll = (names: readonly string[], most: number): readonly string[] => {
    const short = shortNames(names, most);
    return names.map((name) => short.get(name) ?? name);
  };
  if (form === "short") return fitLegend(shown, cardPx - MARGINS_PX, shortAll);
  const names = shown.map(({ name }) => name);
  // a name takes a row of the card at most
  const most = Math.max(LEAST_LETTERS, Math.floor((cardPx - MARGINS_PX - BESIDE_NAME_PX) / LETTER_PX));
  return { names: shortAll(names, most), columns: null };
}

/** Returns an entry for each line of a card. `named`: with its tag, even if there is only one tag. */
export function entriesOf(model: CardModel, named = false): readonly Entry[] {
  const several = named || model.card.value.tags.length > 1;
  const styles = new Map(model.styled.value.map((layer) => [layer.id, layer]));
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
        entries.push({
          key: `g${tag}\n${group.label}`,
          run: null,
          name,
          color: style.color,
          dash: style.dash,
          last: null,
        });
    });
    lines.run.forEach((at, i) => {
      const run = lines.runs[at];
      const style = layer.styles[i];
      if (run === undefined || style === undefined || !drawnSet.value.has(run)) return;
      const tag = lines.tags[lines.tag[i] ?? 0] ?? "";
      const name = several ? `${shownName(run)} · ${tag}` : shownName(run);
      const last = lines.last?.[i] ?? null;
      entries.push({ key: `${tag}\n${run}`, run, name, color: style.color, dash: style.dash, last });
    });
  }
  return entries;
}
