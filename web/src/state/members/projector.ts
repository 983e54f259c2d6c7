// Members of the projector page.

import { choiceField, type Field, type Fields, flagField, jsonField, numberField, textField } from "../fields";
import { CODED } from "../projector_row_code";
import { isCamera, isPlace, isTexts, type MeshCamera } from "./shared";

/** The same camera as for meshes, in a space where every point is within 1 of the center. */
export type ProjectorCamera = Omit<MeshCamera, "of">;

/**
 * Custom axes: each goes from the center of the matches of one search to that of another, in a column of the metadata.
 */
export type ProjectorAxes = {
  readonly by: string;
  readonly left: string;
  readonly right: string;
  readonly up: string;
  readonly down: string;
};

export const PROJECTOR_METHODS = ["pca", "umap", "tsne", "custom"] as const;

export const PROJECTOR_CATEGORIES = ["auto", "on", "off"] as const;

export const PROJECTOR_DISTANCES = ["cosine", "euclidean"] as const;

export const PROJECTOR_PAINTERS = ["auto", "card", "processor"] as const;

/**
 * Restricts the shown points: row numbers, the matches of a search, or a point with its nearest neighbors. A rule is
 * much shorter than a list of rows, and it also finds points that are logged later.
 */
export type ProjectorRule =
  | { readonly kind: "rows"; readonly rows: string }
  | { readonly kind: "find"; readonly by: string; readonly text: string }
  | {
      readonly kind: "near";
      readonly row: number;
      readonly count: number;
      readonly distance: (typeof PROJECTOR_DISTANCES)[number];
    };

export type ProjectorMembers = {
  /** "": the first embedding that can be shown. */
  readonly projectorRun: string;
  readonly projectorTensor: string;
  readonly projectorMethod: (typeof PROJECTOR_METHODS)[number];
  readonly projectorDims: number;
  readonly projectorSphereize: boolean;
  /** Indices of the principal components for X, Y and Z, from 0. */
  readonly projectorComponents: readonly number[];
  readonly projectorNeighbors: number;
  readonly projectorMinDistance: number;
  /** 0: derived from the number of points; the same for the learning rate. */
  readonly projectorPerplexity: number;
  readonly projectorLearningRate: number;
  /** How strongly points with the same value in a metadata column attract each other, 0 to 100. */
  readonly projectorSupervise: number;
  readonly projectorSuperviseBy: string;
  /** Points with this value are excluded from that. */
  readonly projectorIgnore: string;
  readonly projectorAxes: ProjectorAxes | null;
  /** "": the first column. */
  readonly projectorLabelBy: string;
  /** "": no colors. */
  readonly projectorColorBy: string;
  /** Whether numbers are treated as categories: if they are integers and few, always, or never. */
  readonly projectorCategorical: (typeof PROJECTOR_CATEGORIES)[number];
  /** Factor of the default size. */
  readonly projectorPointSize: number;
  /** Show the label of every point. */
  readonly projectorLabels: boolean;
  /** Draw points as their images, if there are any. */
  readonly projectorImages: boolean;
  /** The renderer: the GPU if there is one, or always the GPU or the CPU. */
  readonly projectorPainter: (typeof PROJECTOR_PAINTERS)[number];
  /** The points rotate until the user touches them. */
  readonly projectorSpin: boolean;
  readonly projectorCamera: ProjectorCamera | null;
  readonly projectorSearch: string;
  /** "": the label column. */
  readonly projectorSearchBy: string;
  /** The row whose neighbors are shown; -1: none. */
  readonly projectorPoint: number;
  /** Selected rows as ranges, "3-7,12". */
  readonly projectorSelected: string;
  /** Each rule selects from the result of the one before; empty: all points are shown. */
  readonly projectorOnly: readonly ProjectorRule[];
  readonly projectorCount: number;
  readonly projectorDistance: (typeof PROJECTOR_DISTANCES)[number];
};

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

/**
 * Rows as ranges: "3-7,12"; followed by "~" and a hash if these are only the first rows of a set that is kept in
 * memory.
 */
const RANGES = /^(\d+(-\d+)?(,\d+(-\d+)?)*(~[\da-z]+)?)?$/;

/** Ranges, or the code of projector_row_code.ts. */
const isRows = (text: string): boolean => RANGES.test(text) || CODED.test(text);

function rangesField(): Field<string> {
  return { ...textField(), parse: (text) => (isRows(text) ? text : undefined) };
}

const escaped = (text: string): string => text.replaceAll("~", "~2").replaceAll(";", "~1").replaceAll(":", "~0");
const plain = (text: string): string => text.replaceAll("~0", ":").replaceAll("~1", ";").replaceAll("~2", "~");

function formatRule(rule: ProjectorRule): string {
  switch (rule.kind) {
    case "rows":
      return rule.rows;
    case "find":
      return `find:${escaped(rule.by)}:${escaped(rule.text)}`;
    case "near":
      return `near:${rule.row}:${rule.count}:${rule.distance}`;
  }
}

function parseRule(text: string): ProjectorRule | undefined {
  if (text !== "" && isRows(text)) return { kind: "rows", rows: text };
  const [kind, first = "", second = "", third = ""] = text.split(":");
  if (kind === "find" && second !== "") return { kind, by: plain(first), text: plain(second) };
  const [row, count] = [first, second].map((digits) => (digits === "" ? Number.NaN : Number(digits)));
  const distance = PROJECTOR_DISTANCES.find((one) => one === third);
  const known = kind === "near" && distance !== undefined && isPlace(row) && isPlace(count) && count > 0;
  return known ? { kind, row, count: Math.min(999, count), distance } : undefined;
}

/** "find:group:b;near:12:100:cosine", "3-7,12". */
export function formatRules(rules: readonly ProjectorRule[]): string {
  return rules.map(formatRule).join(";");
}

function parseRules(text: string): readonly ProjectorRule[] | undefined {
  if (text === "") return [];
  const rules = text.split(";").map(parseRule);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

export const projectorMembers: Fields<ProjectorMembers> = {
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
  projectorPainter: choiceField(PROJECTOR_PAINTERS, "auto"),
  projectorSpin: flagField(true),
  projectorCamera: jsonField<ProjectorCamera | null>(null, parseProjectorCamera),
  projectorSearch: textField(),
  projectorSearchBy: textField(),
  projectorPoint: numberField(-1, -1, 2 ** 31),
  projectorSelected: rangesField(),
  projectorOnly: { fallback: [], parse: parseRules, format: formatRules },
  projectorCount: numberField(100, 5, 999),
  projectorDistance: choiceField(PROJECTOR_DISTANCES, "cosine"),
};
