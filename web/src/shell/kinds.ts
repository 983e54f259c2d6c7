// All kinds of data in the order of their tabs, each with its page.

import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import type { CardsOfKind } from "../cards/kind_page";
import { board, kinds, snapshot } from "../state/board";
import { withVertices } from "../state/mesh_names";
import { member, texts } from "../state/view";

const customLayout = member("customLayout");

/** In the row of tabs, in the menu beside it, or among the media of that menu. */
type Place = "row" | "more" | "media";

type KindRule = {
  readonly kind: string;
  /** Name of the page of this kind. */
  readonly page: string;
  readonly place: Place;
  /** The kind that has its tags, if not its own name. */
  readonly from?: string;
  /** Selects the tags that have a card; default: all. */
  readonly tags?: (all: readonly string[]) => readonly string[];
  /** Returns whether the board has such data; default: it has tags of this kind. */
  readonly present?: () => boolean;
  /** Another kind whose data are enough for the page. */
  readonly also?: string;
  /** The page is useful without data, for example to open the user's own files. */
  readonly bare?: true;
  /** The call of the writer that logs such data. */
  readonly call: string;
  /** Its cards on the time series page, loaded on first use. */
  readonly cards?: () => Promise<CardsOfKind>;
  /** Loaded when first shown; without a panel the page lists the tags. */
  readonly panel?: () => Promise<ComponentType>;
};

export const KINDS: readonly KindRule[] = [
  { kind: "scalars", page: "timeseries", place: "row", call: 'add_scalar("loss", loss, step)' },
  {
    kind: "hparams",
    page: "hparams",
    place: "row",
    call: 'add_hparams({"lr": 0.1}, {"accuracy": 0.9})',
    present: () => (board.value?.counts.tags.hparams ?? 0) > 0,
    // without trials the page says why there are none
    also: "scalars",
    tags: () => [],
    panel: () => import("../panels/hparams/hparams_panel").then((module) => module.HparamsPanel),
  },
  {
    kind: "images",
    page: "images",
    place: "row",
    call: 'add_image("sample", image, step)',
    cards: () => import("../panels/images/images_panel").then((module) => module.imageCards()),
    panel: () => import("../panels/images/images_panel").then((module) => module.ImagesPanel),
  },
  {
    kind: "histograms",
    page: "histograms",
    place: "row",
    call: 'add_histogram("weights", weights, step)',
    cards: () => import("../panels/histograms/histograms_panel").then((module) => module.histogramCards()),
    panel: () => import("../panels/histograms/histograms_panel").then((module) => module.HistogramsPanel),
  },
  {
    kind: "graphs",
    page: "graphs",
    place: "row",
    call: "add_graph(model, batch)",
    bare: true,
    panel: () => import("../panels/graphs/graphs_panel").then((module) => module.GraphsPanel),
  },
  {
    kind: "text",
    page: "text",
    place: "row",
    call: 'add_text("note", "Hello", step)',
    panel: () => import("../panels/text/text_panel").then((module) => module.TextPanel),
  },
  {
    kind: "distributions",
    page: "distributions",
    place: "more",
    from: "histograms",
    call: 'add_histogram("weights", weights, step)',
    panel: () => import("../panels/distributions/distributions_panel").then((module) => module.DistributionsPanel),
  },
  {
    kind: "pr_curves",
    page: "pr_curves",
    place: "more",
    call: 'add_pr_curve("cats", labels, predictions, step)',
    panel: () => import("../panels/pr_curves/pr_curves_panel").then((module) => module.PrCurvesPanel),
  },
  {
    kind: "custom_scalars",
    page: "custom_scalars",
    place: "more",
    call: 'add_custom_scalars({"Losses": {"Both": ["Multiline", ["train/loss", "val/loss"]]}})',
    present: () => "custom_scalars" in kinds.value || customLayout.value !== null,
    // users can make their own charts, too; the count of the tab does not include tags of layouts
    also: "scalars",
    tags: () => [],
    panel: () => import("../panels/custom_scalars/custom_scalars_panel").then((module) => module.CustomScalarsPanel),
  },
  {
    kind: "projector",
    page: "projector",
    place: "more",
    bare: true,
    call: "add_embedding(vectors, metadata=labels)",
    panel: () => import("../panels/projector/projector_panel").then((module) => module.ProjectorPanel),
  },
  {
    kind: "tensors",
    page: "tensors",
    place: "more",
    call: 'add_tensor("weights", weights, step)',
    panel: () => import("../panels/tensors/tensors_panel").then((module) => module.TensorsPanel),
  },
  {
    kind: "audio",
    page: "audio",
    place: "media",
    call: 'add_audio("speech", samples, step, sample_rate=16000)',
    panel: () => import("../panels/audio/audio_panel").then((module) => module.AudioPanel),
  },
  {
    kind: "video",
    page: "video",
    place: "media",
    call: 'add_video("rollout", frames, step, fps=10)',
    panel: () => import("../panels/video/video_panel").then((module) => module.VideoPanel),
  },
  {
    kind: "mesh",
    page: "mesh",
    place: "media",
    tags: withVertices,
    call: 'add_mesh("shape", vertices, faces=faces, global_step=step)',
    panel: () => import("../panels/mesh/mesh_panel").then((module) => module.MeshPanel),
  },
  {
    kind: "html",
    page: "html",
    place: "media",
    call: 'add_html("report", "<h1>Report</h1>", step)',
    panel: () => import("../panels/html/html_panel").then((module) => module.HtmlPanel),
  },
  {
    kind: "tables",
    page: "tables",
    place: "media",
    call: 'add_table("predictions", rows, step)',
    panel: () => import("../panels/tables/tables_panel").then((module) => module.TablesPanel),
  },
  {
    kind: "plotly",
    page: "plotly",
    place: "media",
    call: 'add_plotly("figure", figure, step)',
    panel: () => import("../panels/plotly/plotly_panel").then((module) => module.PlotlyPanel),
  },
];

export type KindTab = {
  readonly kind: string;
  readonly page: string;
  readonly place: Place;
  readonly label: string;
  readonly count: number;
  /** For kinds without data: how to log such data. */
  readonly reason: string | null;
};

function ruleTab(rule: KindRule): KindTab {
  const words = texts.value.shell;
  const { kind, page, place, from = kind, call, tags, present } = rule;
  const all = kinds.value[from]?.tag ?? [];
  const count = (tags?.(all) ?? all).length;
  const label = words.kinds[kind] ?? kind;
  // the first page is enabled on an empty board: it explains why the board is empty
  const shown = present?.() ?? (count > 0 || kind === "scalars");
  return { kind, page, place, label, count, reason: shown ? null : words.noKind(label, callName(call)) };
}

function callName(call: string): string {
  return call.slice(0, call.indexOf("("));
}

function unknownTab(kind: string): KindTab {
  const count = kinds.value[kind]?.tag.length ?? 0;
  return { kind, page: kind, place: "more", label: kind, count, reason: null };
}

/** All kinds, also those without data, in the order of `KINDS`; kinds without a rule come last. */
export const kindTabs = computed<readonly KindTab[]>(() => {
  const unknown = Object.keys(kinds.value).filter((kind) => !KINDS.some((rule) => rule.kind === kind));
  return [...KINDS.map(ruleTab), ...unknown.map(unknownTab)].filter(({ kind }) => isIncluded(kind));
});

/** Returns whether the page can show the kind: a snapshot contains some kinds only. */
function isIncluded(kind: string): boolean {
  return snapshot === null || snapshot.kinds.includes(kind);
}

/** Returns the call that logs data for a page. */
export function callFor(page: string): string {
  return KINDS.find((rule) => rule.page === page)?.call ?? "";
}

/** The kind that has the tags of a page; null for pages without a kind. */
export function kindOfPage(page: string): string | null {
  const rule = KINDS.find((one) => one.page === page);
  if (rule !== undefined) return rule.from ?? rule.kind;
  return page in kinds.value ? page : null;
}

/** Returns whether the board has data for a page, or the page needs none. */
export function hasData(page: string): boolean {
  if (!KINDS.every((one) => one.page !== page || isIncluded(one.kind))) return false;
  const kind = kindOfPage(page);
  const bare = KINDS.some((one) => one.page === page && one.bare === true);
  return bare || (kind !== null && kind in kinds.value) || hasExtra(page);
}

function hasExtra(page: string): boolean {
  const also = KINDS.find((one) => one.page === page)?.also;
  return also !== undefined && also in kinds.value;
}
