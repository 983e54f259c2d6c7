// All kinds of data in the order of their tabs, each with its page.

import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import type { CardsOfKind } from "../cards/kind_page";
import { kinds, snapshot } from "../state/board";
import { withVertices } from "../state/mesh_names";
import { texts } from "../state/view";

type KindRule = {
  readonly kind: string;
  /** Name of the page of this kind. */
  readonly page: string;
  /** The kind that has its tags, if not its own name. */
  readonly from?: string;
  /** Selects the tags that have a card; default: all. */
  readonly tags?: (all: readonly string[]) => readonly string[];
  /** Another kind whose data are enough for the page. */
  readonly also?: string;
  /** The page is useful without data, for example to open the user's own files. */
  readonly bare?: true;
  /** The call that logs such data; "": the tab is shown only if there are data. */
  readonly call: string;
  /** Its cards on the time series page, loaded on first use. */
  readonly cards?: () => Promise<CardsOfKind>;
  /** Loaded when first shown; without a panel the page lists the tags. */
  readonly panel?: () => Promise<ComponentType>;
};

export const KINDS: readonly KindRule[] = [
  { kind: "scalars", page: "timeseries", call: "add_scalar" },
  {
    kind: "images",
    page: "images",
    call: "add_image",
    cards: () => import("../panels/images/images_panel").then((module) => module.imageCards()),
    panel: () => import("../panels/images/images_panel").then((module) => module.ImagesPanel),
  },
  {
    kind: "audio",
    page: "audio",
    call: "add_audio",
    panel: () => import("../panels/audio/audio_panel").then((module) => module.AudioPanel),
  },
  {
    kind: "video",
    page: "video",
    call: "",
    panel: () => import("../panels/video/video_panel").then((module) => module.VideoPanel),
  },
  {
    kind: "histograms",
    page: "histograms",
    call: "add_histogram",
    cards: () => import("../panels/histograms/histograms_panel").then((module) => module.histogramCards()),
    panel: () => import("../panels/histograms/histograms_panel").then((module) => module.HistogramsPanel),
  },
  {
    kind: "distributions",
    page: "distributions",
    from: "histograms",
    call: "add_histogram",
    panel: () => import("../panels/distributions/distributions_panel").then((module) => module.DistributionsPanel),
  },
  {
    kind: "text",
    page: "text",
    call: "add_text",
    panel: () => import("../panels/text/text_panel").then((module) => module.TextPanel),
  },
  {
    kind: "html",
    page: "html",
    call: "",
    panel: () => import("../panels/html/html_panel").then((module) => module.HtmlPanel),
  },
  {
    kind: "tables",
    page: "tables",
    call: "",
    panel: () => import("../panels/tables/tables_panel").then((module) => module.TablesPanel),
  },
  {
    kind: "plotly",
    page: "plotly",
    call: "",
    panel: () => import("../panels/plotly/plotly_panel").then((module) => module.PlotlyPanel),
  },
  {
    kind: "pr_curves",
    page: "pr_curves",
    call: "add_pr_curve",
    panel: () => import("../panels/pr_curves/pr_curves_panel").then((module) => module.PrCurvesPanel),
  },
  {
    kind: "mesh",
    page: "mesh",
    tags: withVertices,
    call: "add_mesh",
    panel: () => import("../panels/mesh/mesh_panel").then((module) => module.MeshPanel),
  },
  {
    kind: "graphs",
    page: "graphs",
    call: "add_graph",
    bare: true,
    panel: () => import("../panels/graphs/graphs_panel").then((module) => module.GraphsPanel),
  },
  {
    kind: "hparams",
    page: "hparams",
    call: "add_hparams",
    // trials are also found in configurations logged as text; if there are none, the page says why
    also: "scalars",
    tags: () => [],
    panel: () => import("../panels/hparams/hparams_panel").then((module) => module.HparamsPanel),
  },
  {
    kind: "custom_scalars",
    page: "custom_scalars",
    call: "add_custom_scalars",
    // users can make their own charts, too; the count of the tab does not include tags of layouts
    also: "scalars",
    tags: () => [],
    panel: () => import("../panels/custom_scalars/custom_scalars_panel").then((module) => module.CustomScalarsPanel),
  },
  {
    kind: "projector",
    page: "projector",
    bare: true,
    call: "add_embedding",
    panel: () => import("../panels/projector/projector_panel").then((module) => module.ProjectorPanel),
  },
  {
    kind: "tensors",
    page: "tensors",
    call: "",
    panel: () => import("../panels/tensors/tensors_panel").then((module) => module.TensorsPanel),
  },
];

export type KindTab = {
  readonly kind: string;
  readonly page: string;
  readonly label: string;
  readonly count: number;
  /** For kinds without data: why there are none. */
  readonly reason: string | null;
};

/** Kinds with data first, both parts in the usual order; time series are always first. */
export const kindTabs = computed<readonly KindTab[]>(() => {
  const words = texts.value.shell;
  const tabs = KINDS.map(({ kind, page, from = kind, call, tags }): KindTab => {
    const all = kinds.value[from]?.tag ?? [];
    const count = (tags?.(all) ?? all).length;
    const label = words.kinds[kind] ?? kind;
    // the first page is enabled on an empty board: it explains why the board is empty
    const reason = count > 0 || kind === "scalars" || hasExtra(page) ? null : words.noKind(label, call);
    return { kind, page, label, count, reason };
  });
  const unknown = Object.keys(kinds.value)
    .filter((kind) => !KINDS.some((rule) => rule.kind === kind))
    .map(
      (kind): KindTab => ({ kind, page: kind, label: kind, count: kinds.value[kind]?.tag.length ?? 0, reason: null }),
    );
  const shown = [
    ...tabs.filter((tab) => tab.count > 0 || KINDS.some((r) => r.kind === tab.kind && r.call !== "")),
    ...unknown,
  ].filter((tab) => isIncluded(tab.kind));
  return [...shown.filter((tab) => tab.reason === null), ...shown.filter((tab) => tab.reason !== null)];
});

/** Returns whether the page can show the kind: a snapshot contains some kinds only. */
function isIncluded(kind: string): boolean {
  return snapshot === null || snapshot.kinds.includes(kind);
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
