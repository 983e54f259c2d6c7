// Which camera a card has: the one all cards share, its own, or one from which all points are seen. While a camera is
// moved it is kept here, and put into the view, which is the address, when it rests.

import { signal } from "@preact/signals";
import type { MeshCamera } from "../../state/members/shared";
import { changeView, member } from "../../state/view";
import type { MeshConfig } from "./config";
import { ANGLES, anglesTo, type Bounds, centreOf, fitTo, type Lens, type Up } from "./orbit";

const meshView = member("meshView");
const cameras = member("meshCameras");
const shared = member("meshShared");

/** Moved and not yet in the view, by card; "" is the one that all share. */
const live = signal<ReadonlyMap<string, MeshCamera>>(new Map());

export type Seen = {
  readonly cardKey: string;
  /** Step and sample. */
  readonly of: string;
  readonly bounds: Bounds;
  readonly config: MeshConfig;
  readonly lens: Lens;
  readonly up: Up;
  readonly aspect: number;
};

/** Cameras of cards that keep theirs and whose reader has not moved it, by card. */
const first = new Map<string, MeshCamera>();

/** Read where signals are followed. */
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

/** As many digits as the eye needs: cameras stand in addresses. */
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

/** The card, or all that share its camera, is seen as at first. */
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
