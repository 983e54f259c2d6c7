// The view: everything the reader chose. It lives in the address (after #), so that a link, a reload and the back button
// show the same; `changeView` is the only way to change it. What belongs to the reader's device (theme, widths) is
// remembered in the browser as well. Addresses of TensorBoard's page are understood.
//
//   #timeseries?tagFilter=loss&smoothing=0.8&hide=a,b        page, then members that are not at their fallback

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { coalesced } from "../base/newest";
import { type CustomLayout, parseLayout } from "./custom_layout";
import {
  choiceField,
  type Field,
  type Fields,
  fallbacks,
  flagField,
  formatFields,
  formatParameters,
  jsonField,
  namesField,
  numberField,
  parseFields,
  parseParameters,
  textField,
} from "./fields";
import {
  type ChartSettings,
  DEFAULT_SETTINGS,
  type Overrides,
  packOverrides,
  type Range,
  SETTING_FIELDS,
  unpackOverrides,
} from "./settings";
import { chooseLanguage, type Language, textsFor } from "./texts";
import type { TrialBrush, TrialFilter } from "./trials_filter";

/** A chart the reader put together from several tags, by name or by pattern. */
export type MadeCard = {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** A regular expression whose matching tags are shown too; "" for none. */
  readonly pattern: string;
};

/** Runs pass whose cell is one of `values`, or lies from `lo` to `hi`; without a value: where `absent` is set. */
export type ColumnFilter = {
  readonly values?: readonly (string | number | boolean)[];
  readonly lo?: number;
  readonly hi?: number;
  readonly absent?: boolean;
};
export type ColumnFilters = Readonly<Record<string, ColumnFilter>>;

/** Marked on the x axis: one step, or from lo to hi. */
export type StepSelection = { readonly lo: number; readonly hi: number | null };

/** So many times what fits, around a place of the picture (0 … 1 from its upper left corner). */
export type ImagesZoom = { readonly scale: number; readonly x: number; readonly y: number };

/** What a card shows of values and of time, each from one end to the other; all of what is left out. */
export type SpreadZoom = { readonly values?: readonly [number, number]; readonly times?: readonly [number, number] };

export const HISTOGRAM_MODES = ["offset", "overlay", "heat"] as const;
export const HISTOGRAM_BINS = ["even", "logged"] as const;
export const TIME_AXES = ["step", "relative", "wall"] as const;
/** What a clip is compared with: the same tag of a run (null: its own), at a step ("": the one it shows itself). */
export type AudioOther = { readonly run: string | null; readonly step: string };

export const IMAGES_LAYOUTS = ["cards", "grid"] as const;
/** How two pictures are compared. */
export const IMAGES_MODES = ["side", "swipe", "blink", "difference"] as const;
export const AUDIO_SHOWN = ["both", "waveform", "spectrogram"] as const;
export const AUDIO_SCALES = ["log", "linear"] as const;
/** Looks at a place of space from two angles (radians: around the upright, from it) and a distance. */
export type MeshCamera = {
  readonly theta: number;
  readonly phi: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly distance: number;
  /** Which step and sample it was chosen for. */
  readonly of?: string;
};

/** Of the projector: as a mesh is looked at, in a space where every point is within 1 of the middle. */
export type ProjectorCamera = Omit<MeshCamera, "of">;

/** Axes of one's own: from the middle of what one search finds to that of another, in a column of the metadata. */
export type ProjectorAxes = {
  readonly by: string;
  readonly left: string;
  readonly right: string;
  readonly up: string;
  readonly down: string;
};

/** How a tensor is cut: its axes for rows and columns, and the place on each axis. */
export type TensorCut = {
  readonly rows?: number;
  readonly columns?: number;
  readonly index?: readonly number[];
};

/** Null: all of it. */
export type CurvesZoom = { readonly x: Range | null; readonly y: Range | null };

export const PR_CURVE_MODES = ["pr", "roc", "f1"] as const;
export const PR_CURVE_TIMES = ["step", "relative", "wall"] as const;
export const HPARAMS_VIEWS = ["table", "parallel", "scatter", "importance"] as const;
export const HPARAMS_VALUES = ["last", "best", "min", "max", "mean", "at"] as const;
export const HPARAMS_REPEATS = ["group", "same", "none"] as const;
export const HPARAMS_SPREADS = ["mean", "median", "min", "max"] as const;
export const HPARAMS_SCALES = ["linear", "log", "quantile"] as const;
export type TrialScale = (typeof HPARAMS_SCALES)[number];
/** Large boards begin with few runs shown: there hidden trials look like the others, elsewhere they are dim. */
export const HPARAMS_HIDDEN = ["auto", "same", "dim", "out"] as const;
export const GRAPHS_COLORS = ["none", "structure", "device", "cluster", "time", "memory"] as const;
export const GRAPHS_PANES = ["info", "nodes", "none"] as const;
export const THEMES = ["auto", "light", "dark"] as const;
export const PALETTES = ["names", "safe", "tensorboard"] as const;
export const TOOLTIP_ORDERS = ["nearest", "nearest-y", "ascending", "descending", "alphabetical"] as const;
/** Of all points at each step, of whatever the camera sees, or one camera for all cards. */
export const MESH_VIEWS = ["all", "current", "share"] as const;
export const MESH_UPS = ["y", "z"] as const;
export const MESH_PAINTERS = ["auto", "webgl", "plain"] as const;
export const PROJECTOR_METHODS = ["pca", "umap", "tsne", "custom"] as const;
export const PROJECTOR_CATEGORIES = ["auto", "on", "off"] as const;
export const PROJECTOR_DISTANCES = ["cosine", "euclidean"] as const;
export const TENSOR_VIEWS = ["summary", "map", "values"] as const;
/** What stands on the time series page. */
export const TIMESERIES_KINDS = ["all", "scalars", "images", "histograms"] as const;
export const BANDS = ["std", "minmax", "quantiles", "none"] as const;

type Look = {
  // ---- runs
  readonly runFilter: string;
  /** Columns to sort by, the first counts most, turned round by "-": "-last:loss", "start". Empty: by name. */
  readonly runSort: readonly string[];
  readonly runTree: boolean;
  /** Folders of the tree ("a/b") and groups ("group:LABEL") that are folded away. */
  readonly folded: readonly string[];
  /** Runs shown although the rest is hidden; counts when `showOnly` is set. */
  readonly show: readonly string[];
  /** Runs hidden although the rest is shown. */
  readonly hide: readonly string[];
  /** Only the runs in `show` are drawn. */
  readonly showOnly: boolean;
  /** All runs are drawn although they are many; without it a large board begins with a few. */
  readonly showAll: boolean;
  readonly archived: boolean;
  readonly pinnedRuns: readonly string[];
  /** Run the others are compared with; "" for none. */
  readonly baseline: string;
  /** Columns of the run list beside the name: "hparam:lr", "last:loss", "start", "duration", "state" … */
  readonly runColumns: readonly string[];
  /** Columns of the table of runs, in the reader's order. Empty: those chosen by rule. */
  readonly tableColumns: readonly string[];
  readonly columnPins: readonly string[];
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Which values of a column may be listed, by column. */
  readonly columnFilters: ColumnFilters;
  /** Leave out columns in which all runs agree, in the table and in comparisons. */
  readonly onlyDiffering: boolean;
  /** Shade the cells of numeric columns by value. */
  readonly shadeCells: boolean;
  /** Which part of the page of a run is shown. */
  readonly runTab: string;
  /** "", "regex:PATTERN" or "hparam:NAME": runs that belong together become one line with a band. */
  readonly group: string;
  readonly band: (typeof BANDS)[number];
  /** "run", "regex:PATTERN", "hparam:NAME": what a colour stands for. */
  readonly colorBy: string;
  readonly palette: (typeof PALETTES)[number];
  /** With a palette that repeats: tell runs of one colour apart by dashes. */
  readonly dashes: boolean;
  /** Colours chosen by hand in this view, by run; colours kept with the logs are the annotations'. */
  readonly colors: Readonly<Record<string, string>>;
  // ---- time series
  readonly tagFilter: string;
  /** Sections folded away / opened against the rule of what is open at first. */
  readonly closed: readonly string[];
  readonly opened: readonly string[];
  readonly sectionBy: "first" | "last";
  /** Keys of cards (see state/cards.ts), in the reader's order. */
  readonly pins: readonly string[];
  readonly cards: readonly MadeCard[];
  readonly hideEmpty: boolean;
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly linkZoom: boolean;
  readonly linkCrosshair: boolean;
  readonly shareY: boolean;
  readonly tooltipOrder: (typeof TOOLTIP_ORDERS)[number];
  /** Rows in a tooltip; 0: all. */
  readonly tooltipRows: number;
  /** A click marks a step, and cards have a table of the values there. */
  readonly stepTable: boolean;
  readonly steps: StepSelection | null;
  /** Columns of that table, see cards/charts/step_table; empty: the usual ones. */
  readonly stepColumns: readonly string[];
  readonly legend: boolean;
  /** Keys of cards put away. */
  readonly hiddenCards: readonly string[];
  /** Which kinds have cards on the page; pinned ones stand there in any case. */
  readonly timeseriesKinds: (typeof TIMESERIES_KINDS)[number];
  readonly overrides: Overrides;
  // ---- kinds that show one step at a time
  /** Step of a card by its key (see state/card_keys.ts), as text: steps may have more digits than a double. */
  readonly stepOf: Readonly<Record<string, string>>;
  /** Step of all such cards without one of their own; "": the marked or the newest one. */
  readonly stepAll: string;
  /** They show the step marked on the time series page. */
  readonly linkSteps: boolean;
  /** Which of several elements of a value a card shows, by its key. */
  readonly sampleOf: Readonly<Record<string, number>>;
  // ---- images
  readonly imagesActual: boolean;
  readonly imagesBrightness: number;
  readonly imagesContrast: number;
  readonly imagesLayout: (typeof IMAGES_LAYOUTS)[number];
  /** Side of a cell of the grid in pixels. */
  readonly imagesCell: number;
  /** Of all pictures; null: all of them. */
  readonly imagesZoom: ImagesZoom | null;
  /** They are zoomed together; otherwise each by itself. */
  readonly imagesLink: boolean;
  /** Of pictures zoomed by themselves, by card. */
  readonly imagesZoomOf: Readonly<Record<string, ImagesZoom>>;
  /** What pictures are compared with, by card; "": all cards without an entry of their own. */
  readonly imagesCompare: Readonly<Record<string, AudioOther>>;
  readonly imagesMode: (typeof IMAGES_MODES)[number];
  /** Where the divider is: 0 at the left edge, 1 at the right one. */
  readonly imagesSwipe: number;
  /** Milliseconds that each of two pictures is shown. */
  readonly imagesBlink: number;
  /** Differences are shown so many times as large. */
  readonly imagesAmplify: number;
  /** Boxes and masks that were logged with a picture. */
  readonly imagesOverlays: boolean;
  // ---- text
  readonly textMarkdown: boolean;
  /** What is looked for in all texts; "" for nothing. */
  readonly textSearch: string;
  /** Two steps that a card compares, by its key: "100..200". */
  readonly textDiff: Readonly<Record<string, string>>;
  readonly textInline: boolean;
  // ---- tables
  /** Column that a table is sorted by, by the key of its card; "-loss": the largest first. */
  readonly tablesSort: Readonly<Record<string, string>>;
  /** What cells of a column must be, by the key of the card, then by column. */
  readonly tablesFilter: Readonly<Record<string, Readonly<Record<string, string>>>>;
  // ---- plotly
  /** Figures have the colours they were logged with, instead of those of the page. */
  readonly plotlyAsLogged: boolean;
  // ---- histograms and distributions
  readonly histogramsMode: (typeof HISTOGRAM_MODES)[number];
  /** Of offset histograms and the heat map: what time is. */
  readonly histogramsX: (typeof TIME_AXES)[number];
  /** Thirty even bins, as TensorBoard draws, or the buckets as they were logged. */
  readonly histogramsBins: (typeof HISTOGRAM_BINS)[number];
  readonly histogramsLog: boolean;
  /** By card key. */
  readonly histogramsZoom: Readonly<Record<string, SpreadZoom>>;
  readonly distributionsX: (typeof TIME_AXES)[number];
  readonly distributionsZoom: Readonly<Record<string, SpreadZoom>>;
  // ---- audio
  readonly audioShow: (typeof AUDIO_SHOWN)[number];
  /** Of the frequencies of a spectrogram. */
  readonly audioScale: (typeof AUDIO_SCALES)[number];
  readonly audioVolume: number;
  readonly audioSpeed: number;
  readonly audioLoop: boolean;
  /** The other side of cards that compare two clips, by their keys. */
  readonly audioCompare: Readonly<Record<string, AudioOther>>;
  // ---- video, and moving pictures among the images
  readonly videoSpeed: number;
  readonly videoLoop: boolean;
  readonly videoSound: boolean;
  /** Playing, seeking and stepping in one card moves all in sight. */
  readonly videoLink: boolean;
  // ---- mesh
  readonly meshView: (typeof MESH_VIEWS)[number];
  /** Cameras the reader moved, by card. */
  readonly meshCameras: Readonly<Record<string, MeshCamera>>;
  /** The one that all cards share; null: it was not moved yet. */
  readonly meshShared: MeshCamera | null;
  readonly meshUp: (typeof MESH_UPS)[number];
  /** Pixels; 0: as logged, or by their number. */
  readonly meshPointSize: number;
  readonly meshGrid: boolean;
  readonly meshWires: boolean;
  /** WebGL, or the processor. */
  readonly meshPainter: (typeof MESH_PAINTERS)[number];
  // ---- tensors
  readonly tensorsView: (typeof TENSOR_VIEWS)[number];
  /** By card. */
  readonly tensorsCut: Readonly<Record<string, TensorCut>>;
  /** Shades are spread over what the plane has, instead of the whole tensor. */
  readonly tensorsOwnRange: boolean;
  // ---- pr_curves
  readonly prCurvesMode: (typeof PR_CURVE_MODES)[number];
  /** How steps are told. */
  readonly prCurvesTime: (typeof PR_CURVE_TIMES)[number];
  /** Marked on every curve; null: none. */
  readonly prCurvesThreshold: number | null;
  /** By "MODE|CARD". */
  readonly prCurvesZoom: Readonly<Record<string, CurvesZoom>>;
  /** There is a slider for each run. */
  readonly prCurvesRuns: boolean;
  // ---- hparams
  readonly hparamsView: (typeof HPARAMS_VIEWS)[number];
  /** Columns of the table and axes, in the reader's order: "hparam:lr", "metric:loss". Empty: those chosen by rule. */
  readonly hparamsColumns: readonly string[];
  readonly hparamsWidths: Readonly<Record<string, number>>;
  /** As `runSort`: "-metric:accuracy". Empty: as they are. */
  readonly hparamsSort: readonly string[];
  /** Which trials are listed, by column. */
  readonly hparamsFilters: Readonly<Record<string, TrialFilter>>;
  /** Which of those stand out, by column. */
  readonly hparamsBrushes: Readonly<Record<string, TrialBrush>>;
  /** Statuses that are left out. */
  readonly hparamsStatus: readonly string[];
  /** Scalar tags that are metrics. Empty: those of the experiment, or those that tell most. */
  readonly hparamsMetrics: readonly string[];
  /** Which value of a metric's series counts. */
  readonly hparamsValue: (typeof HPARAMS_VALUES)[number];
  /** For `hparamsValue` "at". */
  readonly hparamsStep: string;
  /** What makes runs one trial. */
  readonly hparamsRepeats: (typeof HPARAMS_REPEATS)[number];
  /** How values of such runs become one. */
  readonly hparamsSpread: (typeof HPARAMS_SPREADS)[number];
  /** Of axes, by column. */
  readonly hparamsScales: Readonly<Record<string, TrialScale>>;
  /** Axes that grow downwards, or to the left. */
  readonly hparamsInverted: readonly string[];
  /** A column, or "run": the colours of runs. "": the first metric. */
  readonly hparamsColor: string;
  /** How trials are shown whose runs are hidden. */
  readonly hparamsHidden: (typeof HPARAMS_HIDDEN)[number];
  /** The trial whose details are shown; "" for none. */
  readonly hparamsTrial: string;
  /** Trials whose charts are open in the table. */
  readonly hparamsOpen: readonly string[];
  /** The column of lists and filters beside the views. */
  readonly hparamsPane: boolean;
  /** The metric whose importances are shown; "": the first. */
  readonly hparamsTarget: string;
  // ---- custom_scalars
  /** What the reader made of the layouts of the runs; null: as they are. */
  readonly customLayout: CustomLayout | null;
  /** Keys of charts whose matching tags are listed. */
  readonly customMatches: readonly string[];
  // ---- projector
  /** "": the first that can be shown. */
  readonly projectorRun: string;
  readonly projectorTensor: string;
  readonly projectorMethod: (typeof PROJECTOR_METHODS)[number];
  readonly projectorDims: number;
  readonly projectorSphereize: boolean;
  /** Which principal components are X, Y and Z, from 0. */
  readonly projectorComponents: readonly number[];
  readonly projectorNeighbors: number;
  readonly projectorMinDistance: number;
  /** 0: by the number of points, as the learning rate. */
  readonly projectorPerplexity: number;
  readonly projectorLearningRate: number;
  /** How much a column of the metadata pulls points of one value together, 0 to 100. */
  readonly projectorSupervise: number;
  readonly projectorSuperviseBy: string;
  /** Points with this value are not pulled. */
  readonly projectorIgnore: string;
  readonly projectorAxes: ProjectorAxes | null;
  /** "": the first column. */
  readonly projectorLabelBy: string;
  /** "": no colours. */
  readonly projectorColorBy: string;
  /** Whether numbers are categories: if they are whole and few, always, or never. */
  readonly projectorCategorical: (typeof PROJECTOR_CATEGORIES)[number];
  /** Times the usual size. */
  readonly projectorPointSize: number;
  /** Every point has its label. */
  readonly projectorLabels: boolean;
  /** Points are their pictures, where there are some. */
  readonly projectorImages: boolean;
  /** The cloud turns until it is touched. */
  readonly projectorSpin: boolean;
  readonly projectorCamera: ProjectorCamera | null;
  readonly projectorSearch: string;
  /** "": the column of the labels. */
  readonly projectorSearchBy: string;
  /** The row whose neighbours are shown; -1: none. */
  readonly projectorPoint: number;
  /** Rows as ranges, "3-7,12": those selected, and those that alone are shown. */
  readonly projectorSelected: string;
  readonly projectorOnly: string;
  readonly projectorCount: number;
  readonly projectorDistance: (typeof PROJECTOR_DISTANCES)[number];
  // ---- graphs
  /** Of the graph on display; without them the first one. */
  readonly graphsRun: string;
  readonly graphsTag: string;
  /** Tag of the times and memory that belong to it; "" for none. */
  readonly graphsStats: string;
  /** Paths of namespaces opened and closed against the rule of what is open at first. */
  readonly graphsOpen: readonly string[];
  readonly graphsClosed: readonly string[];
  /** Path of the chosen node or namespace. */
  readonly graphsNode: string;
  readonly graphsColor: (typeof GRAPHS_COLORS)[number];
  /** Everything that the chosen node depends on is marked. */
  readonly graphsTrace: boolean;
  /** Nodes with many neighbours stand aside by themselves. */
  readonly graphsExtract: boolean;
  /** Paths put into the main graph, or beside it, by hand. */
  readonly graphsMain: readonly string[];
  readonly graphsAside: readonly string[];
  /** Series whose members are shown one by one. */
  readonly graphsUngrouped: readonly string[];
  readonly graphsSearch: string;
  /** Devices whose times and memory do not count. */
  readonly graphsWithout: readonly string[];
  readonly graphsPane: (typeof GRAPHS_PANES)[number];
  readonly graphsLegend: boolean;
  // ---- everywhere
  /** Key of the card that fills the page; "" for none. */
  readonly full: string;
  readonly theme: (typeof THEMES)[number];
};

/** Settings of all charts are members of the view like the rest. */
export type View = Look &
  ChartSettings & {
    /** "timeseries", "runs", "run", "compare", or a kind such as "images". */
    readonly page: string;
    /** For the pages "run" and "compare". */
    readonly of: readonly string[];
  };

function record<T>(accept: (value: unknown) => value is T) {
  return (value: unknown): Readonly<Record<string, T>> | undefined => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const kept = Object.entries(value).filter((entry): entry is [string, T] => accept(entry[1]));
    return Object.fromEntries(kept);
  };
}

function isColor(value: unknown): value is string {
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
}

function isWidth(value: unknown): value is number {
  return typeof value === "number" && value >= 40 && value <= 2000;
}

function isColumnFilter(value: unknown): value is ColumnFilter {
  if (typeof value !== "object" || value === null) return false;
  const { values, lo, hi, absent } = value as Record<string, unknown>;
  const numbers = [lo, hi].every((edge) => edge === undefined || typeof edge === "number");
  const flags = absent === undefined || typeof absent === "boolean";
  const plain = (one: unknown): boolean => ["string", "number", "boolean"].includes(typeof one);
  return numbers && flags && (values === undefined || (Array.isArray(values) && values.every(plain)));
}

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

function isStep(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,19}$/.test(value);
}

function stepField(): Field<string> {
  return { ...textField(), parse: (text) => (isStep(text) ? text : undefined) };
}

function isStepPair(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,19}\.\.-?\d{1,19}$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isText);
}

function isPlace(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isZoom(value: unknown): value is ImagesZoom {
  if (typeof value !== "object" || value === null) return false;
  const { scale, x, y } = value as Record<string, unknown>;
  const share = (one: unknown): boolean => typeof one === "number" && one >= 0 && one <= 1;
  return typeof scale === "number" && scale >= 1 && scale <= 256 && share(x) && share(y);
}

function parseZoom(value: unknown): ImagesZoom | null | undefined {
  return value === null || isZoom(value) ? value : undefined;
}

function isStretch(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];
}

function isSpreadZoom(value: unknown): value is SpreadZoom {
  if (typeof value !== "object" || value === null) return false;
  const { values, times } = value as Record<string, unknown>;
  return [values, times].every((one) => one === undefined || isStretch(one));
}

function isOther(value: unknown): value is AudioOther {
  if (typeof value !== "object" || value === null) return false;
  const { run, step } = value as Record<string, unknown>;
  return (run === null || typeof run === "string") && (step === "" || isStep(step));
}

function isCamera(value: unknown): value is MeshCamera {
  if (typeof value !== "object" || value === null) return false;
  const { theta, phi, x, y, z, distance, of } = value as Record<string, unknown>;
  const numbers = [theta, phi, x, y, z, distance].every((one) => typeof one === "number" && Number.isFinite(one));
  return numbers && (distance as number) > 0 && (of === undefined || typeof of === "string");
}

function parseProjectorCamera(value: unknown): ProjectorCamera | null | undefined {
  return value === null || isCamera(value) ? value : undefined;
}

function parseComponents(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return undefined;
  return value.every((one) => isPlace(one) && one < 10) ? value : undefined;
}

function parseAxes(value: unknown): ProjectorAxes | null | undefined {
  if (value === null) return null;
  if (!isTexts(value)) return undefined;
  const { by = "", left = "", right = "", up = "", down = "" } = value;
  return { by, left, right, up, down };
}

/** Rows as ranges: "3-7,12". */
function rangesField(): Field<string> {
  return { ...textField(), parse: (text) => (/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/.test(text) ? text : undefined) };
}

function isCut(value: unknown): value is TensorCut {
  if (typeof value !== "object" || value === null) return false;
  const { rows, columns, index } = value as Record<string, unknown>;
  const whole = (one: unknown): boolean => Number.isInteger(one) && (one as number) >= -1;
  return (
    (rows === undefined || whole(rows)) &&
    (columns === undefined || whole(columns)) &&
    (index === undefined || (Array.isArray(index) && index.length <= 64 && index.every(whole)))
  );
}

function isTrialFilter(value: unknown): value is TrialFilter {
  return isColumnFilter(value) && ["string", "undefined"].includes(typeof (value as TrialFilter).pattern);
}

function isTrialBrush(value: unknown): value is TrialBrush {
  if (typeof value !== "object" || value === null) return false;
  const { ranges = [], values = [] } = value as Record<string, unknown>;
  const pair = (one: unknown): boolean => Array.isArray(one) && one.length === 2 && one.every(Number.isFinite);
  return Array.isArray(ranges) && ranges.every(pair) && Array.isArray(values) && values.every(isText);
}

function isTrialScale(value: unknown): value is TrialScale {
  return HPARAMS_SCALES.some((scale) => scale === value);
}

function parseThreshold(value: unknown): number | null | undefined {
  return value === null || (typeof value === "number" && value >= 0 && value <= 1) ? value : undefined;
}

function isRange(value: unknown): boolean {
  if (value === null) return true;
  const [lo, hi, ...more]: unknown[] = Array.isArray(value) ? value : [];
  return more.length === 0 && typeof lo === "number" && typeof hi === "number" && lo < hi;
}

function isCurvesZoom(value: unknown): value is CurvesZoom {
  if (typeof value !== "object" || value === null) return false;
  const { x, y } = value as Record<string, unknown>;
  return isRange(x) && isRange(y);
}

const LOOK_FIELDS: Fields<Look> = {
  runFilter: textField(),
  runSort: namesField(),
  runTree: flagField(false),
  folded: namesField(),
  show: namesField(),
  hide: namesField(),
  showOnly: flagField(false),
  showAll: flagField(false),
  archived: flagField(false),
  pinnedRuns: namesField(),
  baseline: textField(),
  runColumns: namesField(),
  tableColumns: namesField(),
  columnPins: namesField(),
  columnWidths: jsonField<Readonly<Record<string, number>>>({}, record(isWidth)),
  columnFilters: jsonField<ColumnFilters>({}, record(isColumnFilter)),
  onlyDiffering: flagField(false),
  shadeCells: flagField(false),
  runTab: textField("overview"),
  group: textField(),
  band: choiceField(BANDS, "std"),
  colorBy: textField("run"),
  palette: choiceField(PALETTES, "names"),
  dashes: flagField(true),
  colors: jsonField<Readonly<Record<string, string>>>({}, record(isColor)),
  tagFilter: textField(),
  closed: namesField(),
  opened: namesField(),
  sectionBy: choiceField(["first", "last"], "first"),
  pins: namesField(),
  cards: jsonField<readonly MadeCard[]>([], parseCards),
  hideEmpty: flagField(true),
  cardWidth: numberField(300, 280, 1600),
  cardHeight: numberField(240, 160, 1200),
  linkZoom: flagField(false),
  linkCrosshair: flagField(true),
  shareY: flagField(false),
  tooltipOrder: choiceField(TOOLTIP_ORDERS, "nearest"),
  tooltipRows: numberField(12, 0, 1000),
  stepTable: flagField(false),
  steps: jsonField<StepSelection | null>(null, parseSteps),
  stepColumns: namesField(),
  legend: flagField(false),
  hiddenCards: namesField(),
  timeseriesKinds: choiceField(TIMESERIES_KINDS, "scalars"),
  overrides: {
    fallback: {},
    parse: (text) => jsonField<Overrides>({}, unpackOverrides).parse(text),
    format: (overrides) => JSON.stringify(packOverrides(overrides)),
  },
  stepOf: jsonField<Readonly<Record<string, string>>>({}, record(isStep)),
  stepAll: stepField(),
  linkSteps: flagField(true),
  sampleOf: jsonField<Readonly<Record<string, number>>>({}, record(isPlace)),
  imagesActual: flagField(false),
  imagesBrightness: numberField(1, 0, 4),
  imagesContrast: numberField(1, 0, 8),
  imagesLayout: choiceField(IMAGES_LAYOUTS, "cards"),
  imagesCell: numberField(160, 80, 640),
  imagesZoom: jsonField<ImagesZoom | null>(null, parseZoom),
  imagesLink: flagField(true),
  imagesZoomOf: jsonField<Readonly<Record<string, ImagesZoom>>>({}, record(isZoom)),
  imagesCompare: jsonField<Readonly<Record<string, AudioOther>>>({}, record(isOther)),
  imagesMode: choiceField(IMAGES_MODES, "side"),
  imagesSwipe: numberField(0.5, 0, 1),
  imagesBlink: numberField(700, 200, 5000),
  imagesAmplify: numberField(1, 1, 64),
  imagesOverlays: flagField(true),
  textMarkdown: flagField(true),
  textSearch: textField(),
  textDiff: jsonField<Readonly<Record<string, string>>>({}, record(isStepPair)),
  textInline: flagField(false),
  tablesSort: jsonField<Readonly<Record<string, string>>>({}, record(isText)),
  tablesFilter: jsonField<Readonly<Record<string, Readonly<Record<string, string>>>>>({}, record(isTexts)),
  plotlyAsLogged: flagField(false),
  histogramsMode: choiceField(HISTOGRAM_MODES, "offset"),
  histogramsX: choiceField(TIME_AXES, "step"),
  histogramsBins: choiceField(HISTOGRAM_BINS, "even"),
  histogramsLog: flagField(false),
  histogramsZoom: jsonField<Readonly<Record<string, SpreadZoom>>>({}, record(isSpreadZoom)),
  distributionsX: choiceField(TIME_AXES, "step"),
  distributionsZoom: jsonField<Readonly<Record<string, SpreadZoom>>>({}, record(isSpreadZoom)),
  audioShow: choiceField(AUDIO_SHOWN, "both"),
  audioScale: choiceField(AUDIO_SCALES, "log"),
  audioVolume: numberField(1, 0, 1),
  audioSpeed: numberField(1, 0.25, 4),
  audioLoop: flagField(false),
  audioCompare: jsonField<Readonly<Record<string, AudioOther>>>({}, record(isOther)),
  videoSpeed: numberField(1, 0.1, 8),
  videoLoop: flagField(true),
  videoSound: flagField(false),
  videoLink: flagField(false),
  meshView: choiceField(MESH_VIEWS, "all"),
  meshCameras: jsonField<Readonly<Record<string, MeshCamera>>>({}, record(isCamera)),
  meshShared: jsonField<MeshCamera | null>(null, (value) => (isCamera(value) ? value : undefined)),
  meshUp: choiceField(MESH_UPS, "y"),
  meshPointSize: numberField(0, 0, 20),
  meshGrid: flagField(false),
  meshWires: flagField(false),
  meshPainter: choiceField(MESH_PAINTERS, "auto"),
  tensorsView: choiceField(TENSOR_VIEWS, "summary"),
  tensorsCut: jsonField<Readonly<Record<string, TensorCut>>>({}, record(isCut)),
  tensorsOwnRange: flagField(false),
  prCurvesMode: choiceField(PR_CURVE_MODES, "pr"),
  prCurvesTime: choiceField(PR_CURVE_TIMES, "step"),
  prCurvesThreshold: jsonField<number | null>(null, parseThreshold),
  prCurvesZoom: jsonField<Readonly<Record<string, CurvesZoom>>>({}, record(isCurvesZoom)),
  prCurvesRuns: flagField(false),
  hparamsView: choiceField(HPARAMS_VIEWS, "table"),
  hparamsColumns: namesField(),
  hparamsWidths: jsonField<Readonly<Record<string, number>>>({}, record(isWidth)),
  hparamsSort: namesField(),
  hparamsFilters: jsonField<Readonly<Record<string, TrialFilter>>>({}, record(isTrialFilter)),
  hparamsBrushes: jsonField<Readonly<Record<string, TrialBrush>>>({}, record(isTrialBrush)),
  hparamsStatus: namesField(),
  hparamsMetrics: namesField(),
  hparamsValue: choiceField(HPARAMS_VALUES, "last"),
  hparamsStep: stepField(),
  hparamsRepeats: choiceField(HPARAMS_REPEATS, "group"),
  hparamsSpread: choiceField(HPARAMS_SPREADS, "mean"),
  hparamsScales: jsonField<Readonly<Record<string, TrialScale>>>({}, record(isTrialScale)),
  hparamsInverted: namesField(),
  hparamsColor: textField(),
  hparamsHidden: choiceField(HPARAMS_HIDDEN, "auto"),
  hparamsTrial: textField(),
  hparamsOpen: namesField(),
  hparamsPane: flagField(true),
  hparamsTarget: textField(),
  customLayout: jsonField<CustomLayout | null>(null, parseLayout),
  customMatches: namesField(),
  projectorRun: textField(),
  projectorTensor: textField(),
  projectorMethod: choiceField(PROJECTOR_METHODS, "pca"),
  projectorDims: numberField(3, 2, 3),
  projectorSphereize: flagField(true),
  projectorComponents: jsonField<readonly number[]>([0, 1, 2], parseComponents),
  projectorNeighbors: numberField(15, 2, 200),
  projectorMinDistance: numberField(0.1, 0, 0.99),
  projectorPerplexity: numberField(0, 0, 100),
  projectorLearningRate: numberField(0, 0, 10_000),
  projectorSupervise: numberField(0, 0, 100),
  projectorSuperviseBy: textField(),
  projectorIgnore: textField(),
  projectorAxes: jsonField<ProjectorAxes | null>(null, parseAxes),
  projectorLabelBy: textField(),
  projectorColorBy: textField(),
  projectorCategorical: choiceField(PROJECTOR_CATEGORIES, "auto"),
  projectorPointSize: numberField(1, 0.25, 4),
  projectorLabels: flagField(false),
  projectorImages: flagField(true),
  projectorSpin: flagField(true),
  projectorCamera: jsonField<ProjectorCamera | null>(null, parseProjectorCamera),
  projectorSearch: textField(),
  projectorSearchBy: textField(),
  projectorPoint: numberField(-1, -1, 2 ** 31),
  projectorSelected: rangesField(),
  projectorOnly: rangesField(),
  projectorCount: numberField(100, 5, 999),
  projectorDistance: choiceField(PROJECTOR_DISTANCES, "cosine"),
  graphsRun: textField(),
  graphsTag: textField(),
  graphsStats: textField(),
  graphsOpen: namesField(),
  graphsClosed: namesField(),
  graphsNode: textField(),
  graphsColor: choiceField(GRAPHS_COLORS, "structure"),
  graphsTrace: flagField(false),
  graphsExtract: flagField(true),
  graphsMain: namesField(),
  graphsAside: namesField(),
  graphsUngrouped: namesField(),
  graphsSearch: textField(),
  graphsWithout: namesField(),
  graphsPane: choiceField(GRAPHS_PANES, "info"),
  graphsLegend: flagField(false),
  full: textField(),
  theme: choiceField(THEMES, "auto"),
};

const FIELDS: Fields<Omit<View, "page">> = { ...LOOK_FIELDS, ...SETTING_FIELDS, of: namesField() };

const FIRST_PAGE = "timeseries";

export const DEFAULT_VIEW: View = { ...fallbacks(FIELDS), page: FIRST_PAGE };

/** Members that the browser remembers for the next board: habits, not findings. */
const HABITS = [
  "theme",
  "palette",
  "smoothing",
  "smoother",
  "faint",
  "ignoreOutliers",
  "tooltipOrder",
  "tooltipRows",
  "cardWidth",
  "cardHeight",
  "linkZoom",
  "linkCrosshair",
  "sectionBy",
  "textMarkdown",
  "histogramsMode",
  "histogramsBins",
] as const satisfies readonly (keyof View)[];

// ---- address ⇄ view

/** What TensorBoard's page keeps before the #; its links go on working. */
function tensorboardMembers(search: string): Partial<View> {
  const given = new URLSearchParams(search);
  const members: { -readonly [K in keyof View]?: View[K] } = {};
  const smoothing = SETTING_FIELDS.smoothing.parse(given.get("smoothing") ?? "");
  if (smoothing !== undefined) members.smoothing = smoothing;
  const tagFilter = given.get("tagFilter");
  if (tagFilter !== null) members.tagFilter = `/${tagFilter}/`;
  const runFilter = given.get("runFilter");
  if (runFilter !== null) members.runFilter = runFilter;
  if (given.get("darkMode") === "true") members.theme = "dark";
  const theme = LOOK_FIELDS.theme.parse(given.get("theme") ?? "");
  if (theme !== undefined) members.theme = theme;
  const coloring = given.get("runColorGroup");
  if (coloring?.startsWith("regex:")) members.colorBy = coloring;
  const pins = tensorboardPins(given.get("pinnedCards"));
  if (pins.length > 0) members.pins = pins;
  return members;
}

function tensorboardPins(text: string | null): readonly string[] {
  try {
    const pins: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(pins)) return [];
    return pins.flatMap((pin: { plugin?: unknown; tag?: unknown } | null) =>
      pin?.plugin === "scalars" && typeof pin.tag === "string" ? [`tag:${pin.tag}`] : [],
    );
  } catch {
    return [];
  }
}

/** `habits` count only for an address that says nothing of the look: a link shows what its sender saw. */
export function parseAddress(search: string, fragment: string, habits: Partial<View> = {}): View {
  const [page = "", query] = fragment.replace(/^#/, "").split(/\?(.*)/s);
  const older = tensorboardMembers(search);
  const bare = query === undefined && Object.keys(older).length === 0;
  const given = parseFields(FIELDS, parseParameters(query ?? ""));
  const known = page === "" || page === "scalars" ? FIRST_PAGE : page;
  return { ...DEFAULT_VIEW, ...(bare ? habits : {}), ...older, ...given, page: known };
}

export function formatAddress(view: View): string {
  const members = formatFields(FIELDS, view);
  if (members.length === 0 && view.page === FIRST_PAGE) return "";
  // the ? stays even when nothing follows: it says that this address was written by us and means the fallbacks
  return `#${view.page}?${formatParameters(members)}`;
}

// ---- the one signal

export const view = signal<View>(DEFAULT_VIEW);

const past: View[] = [];
const future: View[] = [];
/** Tells the page whether undo and redo have anything to do. */
export const undoable = signal({ undo: false, redo: false });

const UNDO_STEPS = 200;
// changes of the same members this close together are one step: a slider being dragged, a word being typed
const ONE_STEP_MS = 800;
let lastChange = { members: "", at: 0 };

export type ChangeOptions = {
  /** False: no step that undo takes back, for what the page and not the reader decides. */
  readonly step?: boolean;
  /** A step of its own, however soon after the last one: for what is done by single clicks. */
  readonly apart?: boolean;
  /** A new entry in the browser's history, for what feels like going somewhere. */
  readonly entry?: boolean;
};

export function changeView(change: Partial<View>, options: ChangeOptions = {}): void {
  const next = { ...view.value, ...change };
  if ((Object.keys(change) as (keyof View)[]).every((name) => sameMember(name, next, view.value))) return;
  if (options.step === false) {
    show(next);
    return;
  }
  const members = Object.keys(change).sort().join();
  const now = performance.now();
  if (options.apart === true || members !== lastChange.members || now - lastChange.at > ONE_STEP_MS) {
    past.push(view.value);
    if (past.length > UNDO_STEPS) past.shift();
  }
  lastChange = { members, at: now };
  future.length = 0;
  const entry = options.entry === true && bound;
  // the entry that is left must hold what was seen last, not what was written last
  if (entry) writeAddress("replace");
  show(next);
  if (entry) writeAddress("push");
}

// of the changed members only: ten thousand names in the address take their time
function sameMember(name: keyof View, one: View, other: View): boolean {
  return one[name] === other[name] || (name !== "page" && sameText(name, one, other));
}

function sameText<K extends keyof Omit<View, "page">>(name: K, one: View, other: View): boolean {
  return FIELDS[name].format(one[name]) === FIELDS[name].format(other[name]);
}

function show(next: View): void {
  view.value = next;
  undoable.value = { undo: past.length > 0, redo: future.length > 0 };
}

export function undo(): void {
  const before = past.pop();
  if (before === undefined) return;
  future.push(view.value);
  lastChange = { members: "", at: 0 };
  show(before);
}

export function redo(): void {
  const after = future.pop();
  if (after === undefined) return;
  past.push(view.value);
  lastChange = { members: "", at: 0 };
  show(after);
}

/** Put the whole view in place of the present one, as a saved view or a pasted address does. */
export function openAddress(fragment: string): void {
  changeView(parseAddress("", fragment), { entry: true });
}

// ---- keeping address and memory

const MEMORY = "lightboard.habits";

function recall(): Partial<View> {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "{}");
    if (typeof texts !== "object" || texts === null) return {};
    return parseFields(FIELDS, new Map(Object.entries(texts).map(([name, text]) => [name, String(text)])));
  } catch {
    // storage forbidden (a private window, a sandboxed frame) or written by something else
    return {};
  }
}

let remembered = "";

function remember(value: View): void {
  const habits = new Set<string>(HABITS);
  const texts = formatFields(FIELDS, value).filter(([name]) => habits.has(name));
  const text = JSON.stringify(Object.fromEntries(texts));
  // a pan changes the view many times and no habit; writing to disk is slow
  if (text === remembered) return;
  remembered = text;
  try {
    localStorage.setItem(MEMORY, text);
  } catch {
    // without storage the habits last as long as the page
  }
}

function writeAddress(how: "push" | "replace"): void {
  const wanted = formatAddress(view.value);
  if (wanted === location.hash) return;
  const address = `${location.pathname}${location.search}${wanted}`;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// browsers refuse more than about a hundred address changes in half a minute
const ADDRESS_DELAY_MS = 250;

let bound = false;

/** Take the view from the address and keep the two equal from now on. */
export function bindViewToAddress(): void {
  bound = true;
  view.value = parseAddress(location.search, location.hash, recall());
  const follow = (): void => {
    if (location.hash !== formatAddress(view.value)) show(parseAddress(location.search, location.hash));
  };
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
  const settle = (): void => {
    writeAddress("replace");
    remember(view.value);
  };
  const settleSoon = coalesced(settle, ADDRESS_DELAY_MS);
  effect(() => {
    void view.value;
    settleSoon();
  });
  // a link copied or a page left within the delay must not lose the last change
  window.addEventListener("pagehide", settle);
}

/** One member as a signal of its own, so that what depends on it rests while others change. */
export function member<K extends keyof View>(name: K): ReadonlySignal<View[K]> {
  return computed(() => view.value[name]);
}

/** The address of what is on screen now, or would be after a change. */
export function currentLink(change: Partial<View> = {}): string {
  return `${location.origin}${location.pathname}${location.search}${formatAddress({ ...view.value, ...change })}`;
}

// ---- language: the reader's, not the link's

const LANGUAGE_MEMORY = "lightboard.language";

function firstLanguage(): Language {
  const asked = new URLSearchParams(globalThis.location?.search ?? "").get("lang");
  if (asked === "zh" || asked === "en") return asked;
  try {
    const kept = localStorage.getItem(LANGUAGE_MEMORY);
    if (kept === "zh" || kept === "en") return kept;
  } catch {
    // storage forbidden: as the browser prefers
  }
  return chooseLanguage(globalThis.navigator?.languages ?? []);
}

export const language = signal<Language>(firstLanguage());

export function chooseLanguageFor(reader: Language): void {
  language.value = reader;
  try {
    localStorage.setItem(LANGUAGE_MEMORY, reader);
  } catch {
    // lasts as long as the page
  }
}

export const texts = computed(() => textsFor(language.value));

/** Words of an area that is fetched with its page. */
export function spoken<Words>(area: { readonly english: Words; readonly chinese: Words }): Words {
  return language.value === "zh" ? area.chinese : area.english;
}

let lastSettings = DEFAULT_SETTINGS;

/** The same object while no setting changes: every chart depends on it. */
export const boardSettings = computed<ChartSettings>(() => {
  const chosen = {} as Record<string, unknown>;
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof ChartSettings)[];
  for (const name of names) chosen[name] = view.value[name];
  const next = chosen as ChartSettings;
  if (names.some((name) => next[name] !== lastSettings[name])) lastSettings = next;
  return lastSettings;
});
