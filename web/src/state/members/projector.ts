// The projector.

import { choiceField, type Field, type Fields, flagField, jsonField, numberField, textField } from "../fields";
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

/** Rows as ranges: "3-7,12". */
function rangesField(): Field<string> {
  return { ...textField(), parse: (text) => (/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/.test(text) ? text : undefined) };
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
  projectorSpin: flagField(true),
  projectorCamera: jsonField<ProjectorCamera | null>(null, parseProjectorCamera),
  projectorSearch: textField(),
  projectorSearchBy: textField(),
  projectorPoint: numberField(-1, -1, 2 ** 31),
  projectorSelected: rangesField(),
  projectorOnly: rangesField(),
  projectorCount: numberField(100, 5, 999),
  projectorDistance: choiceField(PROJECTOR_DISTANCES, "cosine"),
};
