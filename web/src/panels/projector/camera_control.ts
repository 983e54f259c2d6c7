// Moves the camera of the cloud. Each move is sent to the stage at once and stored in the view (the address); when the
// movement stops, the stage draws all points.

import type { ProjectorCamera } from "../../state/members/projector";

// all points are drawn when the camera has not moved for this long
const REST_MS = 140;

/** Callbacks that the camera control reads from and reports to. */
export type Surroundings = {
  /** Returns the camera in the view, or the default one. */
  readonly chosen: () => ProjectorCamera;
  readonly choose: (camera: ProjectorCamera | null) => void;
  /** `moving`: the stage may draw fewer points. */
  readonly send: (camera: ProjectorCamera, moving: boolean) => void;
};

export type CameraControl = {
  readonly camera: () => ProjectorCamera;
  /** Rotates automatically; the view is not changed, because the user did not choose this camera. */
  readonly spin: (by: number) => void;
  /** Draws all points from the current camera. */
  readonly rest: () => void;
  readonly reset: () => void;
  readonly go: (change: (camera: ProjectorCamera) => ProjectorCamera) => void;
  readonly stop: () => void;
};

export function cameraControl({ chosen, choose, send }: Surroundings): CameraControl {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // more precise than the rounded camera in the view; null while the view's camera is used
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

/** Rounds to four decimals: more make no visible difference. */
function rounded(camera: ProjectorCamera): ProjectorCamera {
  const short = (value: number): number => Number(value.toFixed(4));
  const { theta, phi, x, y, z, distance } = camera;
  return { theta: short(theta), phi: short(phi), x: short(x), y: short(y), z: short(z), distance: short(distance) };
}
