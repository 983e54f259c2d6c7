// Members of the graphs page.

import { choiceField, type Field, type Fields, flagField, namesField, textField } from "../fields";

export const GRAPHS_COLORS = ["none", "structure", "device", "cluster", "time", "memory", "tpu"] as const;

export const GRAPHS_PANES = ["info", "nodes", "none"] as const;

/** The position in the drawing at the center of the window, and the zoom. */
export type GraphsCamera = { readonly x: number; readonly y: number; readonly scale: number };

export type GraphsMembers = {
  /** Run and tag of the shown graph; if they do not exist, the first graph. */
  readonly graphsRun: string;
  readonly graphsTag: string;
  /** Tag of its times and memory; "" for none. */
  readonly graphsStats: string;
  /** Paths of namespaces that the user opened or closed, if different from the default. */
  readonly graphsOpen: readonly string[];
  readonly graphsClosed: readonly string[];
  /** Path of the selected node or namespace. */
  readonly graphsNode: string;
  readonly graphsColor: (typeof GRAPHS_COLORS)[number];
  /** Highlight everything that the selected node depends on. */
  readonly graphsTrace: boolean;
  /** Move nodes with many neighbors out of the main graph automatically. */
  readonly graphsExtract: boolean;
  /** Paths that the user moved into the main graph, or out of it. */
  readonly graphsMain: readonly string[];
  readonly graphsAside: readonly string[];
  /** Series of similar nodes whose members are shown individually. */
  readonly graphsUngrouped: readonly string[];
  readonly graphsSearch: string;
  /** Devices whose times and memory are excluded. */
  readonly graphsWithout: readonly string[];
  readonly graphsPane: (typeof GRAPHS_PANES)[number];
  readonly graphsLegend: boolean;
  /** Null: the default view of the graph. */
  readonly graphsCamera: GraphsCamera | null;
};

/** "812.5,340,0.62" */
function cameraField(): Field<GraphsCamera | null> {
  return {
    fallback: null,
    parse: (text) => {
      if (text === "") return null;
      const [x, y, scale, ...more] = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
      if (x === undefined || y === undefined || scale === undefined || more.length > 0) return undefined;
      return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(scale) && scale > 0
        ? { x, y, scale }
        : undefined;
    },
    format: (value) => (value === null ? "" : `${value.x},${value.y},${value.scale}`),
  };
}

export const graphsMembers: Fields<GraphsMembers> = {
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
  graphsCamera: cameraField(),
};
