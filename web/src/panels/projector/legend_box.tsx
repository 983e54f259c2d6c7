// The legend of the colors. A click on a category selects its points.

import type { JSX } from "preact";
import { formatCount } from "../../base/numbers";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { asCategories, legend } from "./coloring";

export function LegendBox(): JSX.Element | null {
  const words = spoken(projectorWords);
  const shown = legend.value;
  if (shown.kind === "none") return null;
  const keep = (event: Event): void => event.stopPropagation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed here is not the points below
    <div
      class="projector-legend"
      data-testid="projector-legend"
      onPointerDown={keep}
      onPointerMove={keep}
      onDblClick={keep}
      onWheel={keep}
    >
      <h3 title={shown.column}>{shown.column}</h3>
      {asCategories.value !== null && (
        <Checkbox
          label={words.categorical}
          title={words.categoricalHint}
          checked={asCategories.value}
          testId="projector-categorical"
          onChange={(checked) => changeView({ projectorCategorical: checked ? "on" : "off" })}
        />
      )}
      <Entries shown={shown} />
    </div>
  );
}

type Legend = Exclude<typeof legend.value, { readonly kind: "none" }>;

function Entries({ shown }: { readonly shown: Legend }): JSX.Element {
  const words = spoken(projectorWords);
  if (shown.kind === "many") {
    return <p class="projector-legend__many">{words.tooMany(formatCount(shown.distinct))}</p>;
  }
  if (shown.kind === "numbers") {
    return (
      <div class="projector-legend__scale">
        <span>{shown.lo}</span>
        <span
          class="projector-legend__bar"
          style={{ background: `linear-gradient(to right, ${shown.colors.join(",")})` }}
        />
        <span>{shown.hi}</span>
      </div>
    );
  }
  return (
    <ul>
      {shown.entries.map(({ value, color, count }) => (
        <li key={value}>
          <button
            type="button"
            title={words.legendFind(value)}
            onClick={() => find(shown.column, value)}
            data-testid="projector-legend-entry"
          >
            <span class="projector-legend__swatch" style={{ background: color }} />
            <span class="projector-legend__value" dir="auto">
              {value === "" ? words.unnamed : value}
            </span>
            <span class="projector-legend__count">{formatCount(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Searches for exactly this value, not for values that contain it. */
function find(column: string, value: string): void {
  const exact = `/^${value.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$/`;
  changeView(
    { projectorSearch: exact, projectorSearchBy: column, projectorPoint: -1, projectorSelected: "" },
    { apart: true },
  );
}
