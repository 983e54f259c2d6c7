// Meshes and point clouds.

import { choiceField, type Fields, flagField, jsonField, numberField } from "../fields";
import { isCamera, type MeshCamera, record } from "./shared";

/**
 * "all": the camera fits all points at each step; "current": each card keeps its camera; "share": one camera for all
 * cards.
 */
export const MESH_VIEWS = ["all", "current", "share"] as const;

export const MESH_UPS = ["y", "z"] as const;

export const MESH_PAINTERS = ["auto", "webgl", "plain"] as const;

export type MeshMembers = {
  readonly meshView: (typeof MESH_VIEWS)[number];
  /** Cameras that the user moved, by card. */
  readonly meshCameras: Readonly<Record<string, MeshCamera>>;
  /** The camera that all cards share; null: not moved yet. */
  readonly meshShared: MeshCamera | null;
  readonly meshUp: (typeof MESH_UPS)[number];
  /** In pixels; 0: as logged, or by the number of points. */
  readonly meshPointSize: number;
  readonly meshGrid: boolean;
  readonly meshWires: boolean;
  /** The renderer: WebGL, or the CPU. */
  readonly meshPainter: (typeof MESH_PAINTERS)[number];
};

export const meshMembers: Fields<MeshMembers> = {
  meshView: choiceField(MESH_VIEWS, "all"),
  meshCameras: jsonField<Readonly<Record<string, MeshCamera>>>({}, record(isCamera)),
  meshShared: jsonField<MeshCamera | null>(null, (value) => (isCamera(value) ? value : undefined)),
  meshUp: choiceField(MESH_UPS, "y"),
  meshPointSize: numberField(0, 0, 20),
  meshGrid: flagField(false),
  meshWires: flagField(false),
  meshPainter: choiceField(MESH_PAINTERS, "auto"),
};
