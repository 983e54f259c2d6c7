// A layout of custom scalars: categories of charts, each of lines by regular expressions or of bands. As runs write it, and
// as a reader changes it. Pure.

export type CustomBand = { readonly value: string; readonly lower: string; readonly upper: string };

/** Either lines, by regular expressions that tags begin with, or bands. */
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

/** What makes sense of a text in an address or a file; undefined where nothing does. */
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

// ---- where a chart stands

export type ChartPlace = { readonly category: number; readonly chart: number };

/** By titles, so that it stays the same when others come before it; equal titles are counted. */
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

/** `place.chart` behind the last one: a new one. */
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
