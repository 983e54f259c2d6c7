// Members of the time series page: tags, cards, and their shared settings.

import { choiceField, type Fields, flagField, jsonField, namesField, numberField, textField } from "../fields";
import { type Overrides, packOverrides, unpackOverrides } from "../settings";

/** A chart that the user made of several tags, by name or by pattern. */
export type MadeCard = {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** A regular expression whose matching tags are shown too; "" for none. */
  readonly pattern: string;
};

/** Selected on the x axis: one step, or from lo to hi. */
export type StepSelection = { readonly lo: number; readonly hi: number | null };

export const TOOLTIP_ORDERS = ["nearest", "nearest-y", "ascending", "descending", "alphabetical"] as const;

/** auto: below charts with few lines. */
export const LEGENDS = ["auto", "on", "off"] as const;

/** Which kinds of cards the time series page shows. */
export const TIMESERIES_KINDS = ["all", "scalars", "images", "histograms"] as const;

export type TimeseriesMembers = {
  readonly tagFilter: string;
  /** Sections that the user closed or opened, if different from the default. */
  readonly closed: readonly string[];
  readonly opened: readonly string[];
  readonly sectionBy: "first" | "last";
  /** Keys of cards (see state/cards.ts), in the user's order. */
  readonly pins: readonly string[];
  readonly cards: readonly MadeCard[];
  readonly hideEmpty: boolean;
  /** 0: chosen by the width of the page. */
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly linkZoom: boolean;
  readonly linkCrosshair: boolean;
  readonly shareY: boolean;
  readonly tooltipOrder: (typeof TOOLTIP_ORDERS)[number];
  /** Rows in a tooltip; 0: all. */
  readonly tooltipRows: number;
  /** A click selects a step, and cards have a table of the values there. */
  readonly stepTable: boolean;
  readonly steps: StepSelection | null;
  /** Columns of that table, see cards/charts/step_table; empty: the default ones. */
  readonly stepColumns: readonly string[];
  readonly legend: (typeof LEGENDS)[number];
  /** Keys of hidden cards. */
  readonly hiddenCards: readonly string[];
  /** Which kinds have cards on the page; pinned cards are always shown. */
  readonly timeseriesKinds: (typeof TIMESERIES_KINDS)[number];
  readonly overrides: Overrides;
};

function parseCards(value: unknown): readonly MadeCard[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const { id, title, tags, pattern } = one as Record<string, unknown>;
    if (typeof id !== "string" || !Array.isArray(tags)) return [];
    const names = tags.filter((tag): tag is string => typeof tag === "string");
    return [
      {
        id,
        title: typeof title === "string" ? title : "",
        tags: names,
        pattern: typeof pattern === "string" ? pattern : "",
      },
    ];
  });
}

function parseSteps(value: unknown): StepSelection | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object") return undefined;
  const { lo, hi } = value as Record<string, unknown>;
  if (typeof lo !== "number") return undefined;
  return { lo, hi: typeof hi === "number" && hi > lo ? hi : null };
}

const CARD_WIDTH = numberField(280, 280, 1600);

export const timeseriesMembers: Fields<TimeseriesMembers> = {
  tagFilter: textField(),
  closed: namesField(),
  opened: namesField(),
  sectionBy: choiceField(["first", "last"], "first"),
  pins: namesField(),
  cards: jsonField<readonly MadeCard[]>([], parseCards),
  hideEmpty: flagField(true),
  cardWidth: { ...CARD_WIDTH, fallback: 0, parse: (text) => (text.trim() === "0" ? 0 : CARD_WIDTH.parse(text)) },
  cardHeight: numberField(240, 160, 1200),
  linkZoom: flagField(false),
  linkCrosshair: flagField(true),
  shareY: flagField(false),
  tooltipOrder: choiceField(TOOLTIP_ORDERS, "nearest"),
  tooltipRows: numberField(12, 0, 1000),
  stepTable: flagField(false),
  steps: jsonField<StepSelection | null>(null, parseSteps),
  stepColumns: namesField(),
  legend: choiceField(LEGENDS, "auto"),
  hiddenCards: namesField(),
  timeseriesKinds: choiceField(TIMESERIES_KINDS, "scalars"),
  overrides: {
    fallback: {},
    parse: (text) => jsonField<Overrides>({}, unpackOverrides).parse(text),
    format: (overrides) => JSON.stringify(packOverrides(overrides)),
  },
};
