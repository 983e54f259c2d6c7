// A layout of custom scalars: categories of charts; each chart has lines by regular expressions, or bands. Runs log a
// layout, and the user can edit it. All functions are pure.

export type CustomBand = { readonly value: string; readonly lower: string; readonly upper: string };

/** A chart has either lines (regular expressions that match the beginning of tags) or bands. */
export type CustomChart = {
  readonly title: string;
  readonly patterns: readonly string[];
  readonly bands: readonly CustomBand[];
};

export type CustomCategory = {
  readonly title: string;
  readonly closed: boolean;
  readonly charts: readonly CustomChart[];
};

export type CustomLayout = readonly CustomCategory[];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses a value from a URL or a file, ignoring invalid parts; returns undefined if nothing is valid. */
export function parseLayout(value: unknown): CustomLayout | null | undefined {
  if (value === null) return null;
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map(
    ({ title, closed, charts }): CustomCategory => ({
      title: textOf(title),
      closed: closed === true,
      charts: listOf(charts).filter(isObject).map(parseChart),
    }),
  );
}

function parseChart({ title, patterns, bands }: Readonly<Record<string, unknown>>): CustomChart {
  return {
    title: textOf(title),
    patterns: listOf(patterns).filter((one): one is string => typeof one === "string"),
    bands: listOf(bands)
      .filter(isObject)
      .map(({ value, lower, upper }) => ({ value: textOf(value), lower: textOf(lower), upper: textOf(upper) })),
  };
}

// ---- position of a chart

export type ChartPlace = { readonly category: number; readonly chart: number };

/** Keys consist of titles, so that they do not change when charts are added before; equal titles are numbered. */
export function chartKeys(layout: CustomLayout): readonly (readonly string[])[] {
  const seen = new Map<string, number>();
  return layout.map(({ title, charts }) =>
    charts.map((chart) => {
      const key = `custom:${written(title)}|${written(chart.title)}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return count === 1 ? key : `${key}|${count}`;
    }),
  );
}

function written(title: string): string {
  return title.replace(/[%|]/g, encodeURIComponent);
}

// ---- changes

export function withCategory(layout: CustomLayout, title: string): CustomLayout {
  return [...layout, { title, closed: false, charts: [] }];
}

export function changeCategory(layout: CustomLayout, at: number, change: Partial<CustomCategory>): CustomLayout {
  return layout.map((category, i) => (i === at ? { ...category, ...change } : category));
}

export function withoutCategory(layout: CustomLayout, at: number): CustomLayout {
  return layout.filter((_, i) => i !== at);
}

export function moveCategory(layout: CustomLayout, at: number, by: 1 | -1): CustomLayout {
  return swapped(layout, at, at + by);
}

/** If `place.chart` is the index after the last chart, a new one is added. */
export function putChart(layout: CustomLayout, place: ChartPlace, chart: CustomChart): CustomLayout {
  return layout.map((category, i) => {
    if (i !== place.category) return category;
    const charts = [...category.charts];
    charts[Math.min(place.chart, charts.length)] = chart;
    return { ...category, charts };
  });
}

export function withoutChart(layout: CustomLayout, place: ChartPlace): CustomLayout {
  return layout.map((category, i) =>
    i === place.category ? { ...category, charts: category.charts.filter((_, at) => at !== place.chart) } : category,
  );
}

export function moveChart(layout: CustomLayout, place: ChartPlace, by: 1 | -1): CustomLayout {
  return layout.map((category, i) =>
    i === place.category ? { ...category, charts: swapped(category.charts, place.chart, place.chart + by) } : category,
  );
}

function swapped<T>(list: readonly T[], a: number, b: number): readonly T[] {
  const [one, other] = [list[a], list[b]];
  if (one === undefined || other === undefined) return list;
  return list.map((item, i) => (i === a ? other : i === b ? one : item));
}

export function patternsOf(layout: CustomLayout): readonly string[] {
  return [...new Set(layout.flatMap(({ charts }) => charts.flatMap(({ patterns }) => patterns)))];
}
