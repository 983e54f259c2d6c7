// How charts are drawn: settings of the board, which a section or a card can override.

import {
  choiceField,
  type Fields,
  fallbacks,
  flagField,
  jsonField,
  numberField,
  parseFields,
  textField,
} from "./fields";

export type Range = readonly [lo: number, hi: number];

export const SCALES = ["linear", "log", "symlog"] as const;
export const SMOOTHERS = ["ema", "time_ema", "gaussian", "mean", "median"] as const;
export const MARKERS = ["isolated", "all", "none"] as const;
export const REWINDS = ["board", "latest", "all"] as const;

export type ChartSettings = {
  /** "step", "relative", "wall" or "metric:TAG" */
  readonly x: string;
  readonly xScale: (typeof SCALES)[number];
  readonly yScale: (typeof SCALES)[number];
  readonly smoother: (typeof SMOOTHERS)[number];
  /** Parameter of the smoother: the weight for the ema kinds (0 is off), a share for the windows. Always 0 … 0.999. */
  readonly smoothing: number;
  /** Draw the unsmoothed line faintly behind the smoothed one. */
  readonly faint: boolean;
  /** Fit y without a few values that are far away from the others. */
  readonly ignoreOutliers: boolean;
  /** Mark values outside of the plot. */
  readonly edgeMarks: boolean;
  /** Superseded points: the default of the board, hidden, or shown. */
  readonly rewinds: (typeof REWINDS)[number];
  /** Cut lines where x decreases. */
  readonly partition: boolean;
  readonly markers: (typeof MARKERS)[number];
  /** Zoom or limits that the user set; null fits the data. */
  readonly xRange: Range | null;
  readonly yRange: Range | null;
};

function range(value: unknown): Range | null | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [lo, hi]: unknown[] = value;
  return typeof lo === "number" && typeof hi === "number" && lo < hi ? [lo, hi] : undefined;
}

/** The defaults are TensorBoard's if it has the setting. */
export const SETTING_FIELDS: Fields<ChartSettings> = {
  x: textField("step"),
  xScale: choiceField(SCALES, "linear"),
  yScale: choiceField(SCALES, "linear"),
  smoother: choiceField(SMOOTHERS, "ema"),
  smoothing: numberField(0.6, 0, 0.999),
  faint: flagField(true),
  ignoreOutliers: flagField(true),
  edgeMarks: flagField(true),
  rewinds: choiceField(REWINDS, "board"),
  partition: flagField(false),
  markers: choiceField(MARKERS, "isolated"),
  xRange: jsonField<Range | null>(null, range),
  yRange: jsonField<Range | null>(null, range),
};

export const DEFAULT_SETTINGS: ChartSettings = fallbacks(SETTING_FIELDS);

/** Settings of one section ("section:loss") or one card ("card:loss/train") that differ from the board's. */
export type Overrides = Readonly<Record<string, Partial<ChartSettings>>>;

export function sectionKey(section: string): string {
  return `section:${section}`;
}

export function cardKey(card: string): string {
  return `card:${card}`;
}

/** The most specific setting wins: card, then section, then board. */
export function settingsFor(
  board: ChartSettings,
  overrides: Overrides,
  section: string | null,
  card: string,
): ChartSettings {
  const ofSection = section === null ? undefined : overrides[sectionKey(section)];
  const ofCard = overrides[cardKey(card)];
  return ofSection === undefined && ofCard === undefined ? board : { ...board, ...ofSection, ...ofCard };
}

/** Returns overrides as they are in the URL: each member as the text of its field. */
export function packOverrides(overrides: Overrides): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const packed: Record<string, Record<string, string>> = {};
  for (const [key, some] of Object.entries(overrides)) {
    const texts: Record<string, string> = {};
    const whole = { ...DEFAULT_SETTINGS, ...some };
    for (const name of Object.keys(some) as (keyof ChartSettings)[]) texts[name] = formatOne(name, whole);
    if (Object.keys(texts).length > 0) packed[key] = texts;
  }
  return packed;
}

function formatOne<K extends keyof ChartSettings>(name: K, settings: ChartSettings): string {
  return SETTING_FIELDS[name].format(settings[name]);
}

export function unpackOverrides(value: unknown): Overrides | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const overrides: Record<string, Partial<ChartSettings>> = {};
  for (const [key, texts] of Object.entries(value)) {
    if (typeof texts !== "object" || texts === null) continue;
    const parameters = new Map(Object.entries(texts).map(([name, text]) => [name, String(text)]));
    const some = parseFields(SETTING_FIELDS, parameters);
    if (Object.keys(some).length > 0) overrides[key] = some;
  }
  return overrides;
}

/** Returns the parameter for /api/scalars; "" without smoothing. */
export function smoothingQuestion({ smoother, smoothing, x }: ChartSettings): string {
  if (smoothing === 0) return "";
  if (smoother === "ema") return `ema:${smoothing}`;
  // distances are measured along the shown axis; another metric as x has no meaningful distance
  if (smoother === "time_ema") return `time_ema:${smoothing}:${x === "wall" || x === "relative" ? "wall" : "step"}`;
  // a window: the slider goes from one point to about a thousand, logarithmically
  const window = Math.round(10 ** (3 * smoothing));
  return window <= 1 ? "" : `${smoother}:${window}`;
}
