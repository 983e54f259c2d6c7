// The camera of a card: the one that all cards share, its own, or one from which all points are visible. A moving
// camera is kept here and written into the view (the address) when it stops.

import { signal } from "@preact/signals";
import type { MeshCamera } from "../../state/members/shared";
import { changeView, member } from "../../state/view";
import type { MeshConfig } from "./config";
import { ANGLES, anglesTo, type Bounds, centreOf, fitTo, type Lens, type Up } from "./orbit";

const meshView = member("meshView");
const cameras = member("meshCameras");
const shared = member("meshShared");

/** Cameras that were moved and are not yet in the view, by card; "" is the shared one. */
const live = signal<ReadonlyMap<string, MeshCamera>>(new Map());

export type Seen = {
  readonly cardKey: string;
  /** Identifies step and sample. */
  readonly of: string;
  readonly bounds: Bounds;
  readonly config: MeshConfig;
  readonly lens: Lens;
  readonly up: Up;
  readonly aspect: number;
};

/** Cameras of cards that keep their own and that the user has not moved, by card. */
const first = new Map<string, MeshCamera>();

/** Reads signals, so the caller runs again after changes. */
export function cameraOf(seen: Seen): MeshCamera {
  const mode = meshView.value;
  if (mode === "share") return live.value.get("") ?? shared.value ?? fitted(seen, null);
  const own = live.value.get(seen.cardKey) ?? cameras.value[seen.cardKey] ?? null;
  if (mode === "all") return own === null || own.of !== seen.of ? fitted(seen, own) : own;
  if (own !== null) return own;
  const known = first.get(seen.cardKey) ?? fitted(seen, null);
  first.set(seen.cardKey, known);
  return known;
}

function fitted({ bounds, config, lens, up, aspect }: Seen, own: MeshCamera | null): MeshCamera {
  const { position } = config.camera;
  const logged = position === null ? null : anglesTo(position, centreOf(bounds), up);
  return fitTo(bounds, own ?? logged ?? ANGLES, lens, aspect);
}

const TELL_MS = 300;
let timer: ReturnType<typeof setTimeout> | undefined;

export function moveCamera(seen: Seen, camera: MeshCamera): void {
  const key = meshView.peek() === "share" ? "" : seen.cardKey;
  live.value = new Map(live.peek()).set(key, { ...camera, of: seen.of });
  clearTimeout(timer);
  timer = setTimeout(tell, TELL_MS);
}

function tell(): void {
  const moved = live.peek();
  if (moved.size === 0) return;
  live.value = new Map();
  const everyone = moved.get("");
  const own = [...moved].filter(([key]) => key !== "").map(([key, camera]) => [key, rounded(camera)] as const);
  changeView({
    ...(everyone === undefined ? {} : { meshShared: rounded(everyone) }),
    ...(own.length === 0 ? {} : { meshCameras: { ...cameras.peek(), ...Object.fromEntries(own) } }),
  });
}

/** Rounds to visible precision, because cameras are written into the address. */
function rounded({ theta, phi, x, y, z, distance, of }: MeshCamera): MeshCamera {
  const short = (value: number): number => Number(value.toPrecision(5));
  const at = (value: number): number => Number(value.toFixed(Math.max(0, 4 - Math.floor(Math.log10(distance)))));
  return {
    theta: short(theta),
    phi: short(phi),
    x: at(x),
    y: at(y),
    z: at(z),
    distance: short(distance),
    ...(of === undefined ? {} : { of }),
  };
}

/** Resets the camera of the card, or the shared camera. */
export function resetCamera(cardKey: string): void {
  live.value = new Map();
  first.delete(cardKey);
  const { [cardKey]: _, ...others } = cameras.peek();
  changeView(meshView.peek() === "share" ? { meshShared: null } : { meshCameras: others });
}

export function resetCameras(): void {
  live.value = new Map();
  first.clear();
  changeView({ meshCameras: {}, meshShared: null });
}

export function anyMoved(): boolean {
  return Object.keys(cameras.value).length > 0 || shared.value !== null;
}
