// Graphs.

import { choiceField, type Field, type Fields, flagField, namesField, textField } from "../fields";

export const GRAPHS_COLORS = ["none", "structure", "device", "cluster", "time", "memory", "tpu"] as const;

export const GRAPHS_PANES = ["info", "nodes", "none"] as const;

/** The place of the drawing that is in the middle of the window, and how large it is drawn. */
export type GraphsCamera = { readonly x: number; readonly y: number; readonly scale: number };

export type GraphsMembers = {
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
  /** Nodes with many neighbors stand aside by themselves. */
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
  /** Null: as a graph is seen at first. */
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
