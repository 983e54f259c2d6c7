// Parses the configuration that a writer logged with a mesh: camera, lights, material. The text is untrusted: unknown
// members and invalid values are ignored.

import type { Vector } from "./orbit";

export const LIGHTS = ["AmbientLight", "DirectionalLight", "PointLight", "HemisphereLight"] as const;
export const MATERIALS = [
  "MeshBasicMaterial",
  "MeshLambertMaterial",
  "MeshPhongMaterial",
  "MeshStandardMaterial",
  "MeshNormalMaterial",
] as const;

export type LightConfig = {
  readonly cls: (typeof LIGHTS)[number];
  readonly color: number;
  readonly ground: number;
  readonly intensity: number;
  readonly position: Vector;
};

export type MaterialConfig = {
  readonly cls: (typeof MATERIALS)[number] | null;
  readonly color: number | null;
  readonly emissive: number | null;
  readonly opacity: number;
  readonly wireframe: boolean;
  readonly flat: boolean | null;
  readonly roughness: number;
  readonly metalness: number;
  readonly shininess: number;
  /** Size of points, in units of space or, without attenuation, in pixels; null: not set. */
  readonly size: number | null;
  readonly attenuated: boolean;
};

export type MeshConfig = {
  readonly camera: {
    readonly flat: boolean;
    readonly fov: number | null;
    readonly position: Vector | null;
  };
  /** Null: not set. */
  readonly lights: readonly LightConfig[] | null;
  readonly material: MaterialConfig;
  /** The text is not a JSON object. */
  readonly broken: boolean;
};

type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};
const MOST_LIGHTS = 8;

export function parseConfig(text: string): MeshConfig {
  let content: unknown = NONE;
  let broken = false;
  try {
    if (text.trim() !== "") content = JSON.parse(text);
  } catch {
    broken = true;
  }
  broken ||= typeof content !== "object" || content === null || Array.isArray(content);
  const all = membersOf(broken ? NONE : content);
  const camera = membersOf(all.camera);
  const lights = Array.isArray(all.lights) ? all.lights.slice(0, MOST_LIGHTS).flatMap(parseLight) : [];
  return {
    camera: {
      flat: camera.cls === "OrthographicCamera",
      fov: within(camera.fov, 1, 170),
      position: vectorOf(camera.position),
    },
    lights: lights.length > 0 ? lights : null,
    material: parseMaterial(membersOf(all.material)),
    broken,
  };
}

function parseLight(value: unknown): readonly LightConfig[] {
  const light = membersOf(value);
  const cls = LIGHTS.find((one) => one === light.cls);
  if (cls === undefined) return [];
  return [
    {
      cls,
      color: colorOf(light.color ?? light.skyColor) ?? 0xffffff,
      ground: colorOf(light.groundColor) ?? 0x444444,
      intensity: within(light.intensity, 0, 100) ?? 1,
      position: vectorOf(light.position) ?? [0, 1, 0],
    },
  ];
}

function parseMaterial(members: Members): MaterialConfig {
  return {
    cls: MATERIALS.find((one) => one === members.cls) ?? null,
    color: colorOf(members.color),
    emissive: colorOf(members.emissive),
    opacity: within(members.opacity, 0, 1) ?? 1,
    wireframe: members.wireframe === true,
    flat: typeof members.flatShading === "boolean" ? members.flatShading : null,
    roughness: within(members.roughness, 0, 1) ?? 1,
    metalness: within(members.metalness, 0, 1) ?? 0,
    shininess: within(members.shininess, 0, 1000) ?? 30,
    size: within(members.size, 0, 1e6) || null,
    attenuated: members.sizeAttenuation !== false,
  };
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : NONE;
}

function within(value: unknown, lo: number, hi: number): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(hi, Math.max(lo, value)) : null;
}

function vectorOf(value: unknown): Vector | null {
  const parts = Array.isArray(value) ? value : [membersOf(value).x, membersOf(value).y, membersOf(value).z];
  const [x, y, z] = parts.map((part) => within(part, -1e9, 1e9));
  return parts.length === 3 && typeof x === "number" && typeof y === "number" && typeof z === "number"
    ? [x, y, z]
    : null;
}

/** A number, "#rgb", "#rrggbb", "0xrrggbb" or three numbers from 0 to 1. */
function colorOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffffff) return value;
  if (typeof value === "string") {
    const [, digits = ""] = /^(?:#|0x)([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value.trim()) ?? [];
    if (digits === "") return null;
    return Number.parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
  }
  const parts = vectorOf(value);
  if (parts === null) return null;
  const [r, g, b] = parts.map((part) => Math.round(255 * Math.min(1, Math.max(0, part))));
  return ((r ?? 0) << 16) | ((g ?? 0) << 8) | (b ?? 0);
}
