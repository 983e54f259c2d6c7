// The camera of the cloud while it is moved. Each move goes to the stage at once and to the view, which is the address;
// when the hand has come to rest, the stage draws all points.

import type { ProjectorCamera } from "../../state/members/projector";

// all points are drawn when the camera has not moved for so long
const REST_MS = 140;

/** What the camera is drawn with, and who hears of it. */
export type Surroundings = {
  /** The camera in the view, or the first one. */
  readonly chosen: () => ProjectorCamera;
  readonly choose: (camera: ProjectorCamera | null) => void;
  /** `moving`: fewer points will do. */
  readonly send: (camera: ProjectorCamera, moving: boolean) => void;
};

export type CameraControl = {
  readonly camera: () => ProjectorCamera;
  /** Turns without being asked: the reader has not chosen it, so the view is not changed. */
  readonly spin: (by: number) => void;
  /** Draws all points where the camera is. */
  readonly rest: () => void;
  readonly reset: () => void;
  readonly go: (change: (camera: ProjectorCamera) => ProjectorCamera) => void;
  readonly stop: () => void;
};

export function cameraControl({ chosen, choose, send }: Surroundings): CameraControl {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // finer than the rounded one in the view; null while the view's counts
  let current: ProjectorCamera | null = null;
  const camera = (): ProjectorCamera => current ?? chosen();
  const rest = (): void => send(camera(), false);
  return {
    camera,
    rest,
    spin: (by) => {
      current = { ...camera(), theta: camera().theta + by };
      send(current, true);
    },
    reset: () => {
      current = null;
      choose(null);
      rest();
    },
    go: (change) => {
      current = change(camera());
      choose(rounded(current));
      send(current, true);
      clearTimeout(timer);
      timer = setTimeout(() => {
        current = null;
        rest();
      }, REST_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** As many digits as a picture shows. */
function rounded(camera: ProjectorCamera): ProjectorCamera {
  const short = (value: number): number => Number(value.toFixed(4));
  const { theta, phi, x, y, z, distance } = camera;
  return { theta: short(theta), phi: short(phi), x: short(x), y: short(y), z: short(z), distance: short(distance) };
}
