// The projector.

import { choiceField, type Field, type Fields, flagField, jsonField, numberField, textField } from "../fields";
import { CODED } from "../projector_row_code";
import { isCamera, isPlace, isTexts, type MeshCamera } from "./shared";

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

export const PROJECTOR_METHODS = ["pca", "umap", "tsne", "custom"] as const;

export const PROJECTOR_CATEGORIES = ["auto", "on", "off"] as const;

export const PROJECTOR_DISTANCES = ["cosine", "euclidean"] as const;

export const PROJECTOR_PAINTERS = ["auto", "card", "processor"] as const;

/**
 * What alone is shown: rows by their numbers, those that a search finds, or a point with its nearest. A rule says the
 * same as a hundred thousand numbers, and finds what is logged later, too.
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
  /** "": no colors. */
  readonly projectorColorBy: string;
  /** Whether numbers are categories: if they are whole and few, always, or never. */
  readonly projectorCategorical: (typeof PROJECTOR_CATEGORIES)[number];
  /** Times the usual size. */
  readonly projectorPointSize: number;
  /** Every point has its label. */
  readonly projectorLabels: boolean;
  /** Points are their pictures, where there are some. */
  readonly projectorImages: boolean;
  /** Who draws points: the graphics card if there is one, or always one of the two. */
  readonly projectorPainter: (typeof PROJECTOR_PAINTERS)[number];
  /** The cloud turns until it is touched. */
  readonly projectorSpin: boolean;
  readonly projectorCamera: ProjectorCamera | null;
  readonly projectorSearch: string;
  /** "": the column of the labels. */
  readonly projectorSearchBy: string;
  /** The row whose neighbors are shown; -1: none. */
  readonly projectorPoint: number;
  /** Selected rows as ranges, "3-7,12". */
  readonly projectorSelected: string;
  /** Each chooses from what the one before has left; empty: all are shown. */
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

/** Rows as ranges: "3-7,12"; with "~" and a name behind where these are only the first of a set held beside. */
const RANGES = /^(\d+(-\d+)?(,\d+(-\d+)?)*(~[\da-z]+)?)?$/;

/** As ranges, or in a code (projector_row_code.ts). */
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
