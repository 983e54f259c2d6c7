import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProjectorCamera } from "../../state/members/projector";
import { type CameraControl, cameraControl } from "./camera_control";

const FIRST: ProjectorCamera = { theta: 1, phi: 1, x: 0, y: 0, z: 0, distance: 3 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Sent = { readonly theta: number; readonly moving: boolean };

function opened(): { control: CameraControl; sent: Sent[]; view: { camera: ProjectorCamera | null } } {
  const sent: Sent[] = [];
  const view: { camera: ProjectorCamera | null } = { camera: null };
  const control = cameraControl({
    chosen: () => view.camera ?? FIRST,
    choose: (camera) => {
      view.camera = camera;
    },
    send: ({ theta }, moving) => sent.push({ theta, moving }),
  });
  return { control, sent, view };
}

const turned =
  (by: number) =>
  (camera: ProjectorCamera): ProjectorCamera => ({ ...camera, theta: camera.theta + by });

test("a move is drawn at once and drawn in full after a rest", () => {
  const { control, sent } = opened();
  control.go(turned(1));
  expect(sent).toEqual([{ theta: 2, moving: true }]);
  vi.advanceTimersByTime(140);
  expect(sent[1]).toEqual({ theta: 2, moving: false });
});

test("moves in a row add up unrounded and rest once", () => {
  const { control, sent, view } = opened();
  for (let i = 0; i < 4; i++) {
    control.go(turned(0.00004));
    vi.advanceTimersByTime(100);
  }
  expect(control.camera().theta).toBeCloseTo(1.00016, 8);
  expect(view.camera?.theta).toBe(1.0002);
  vi.advanceTimersByTime(140);
  expect(sent.filter(({ moving }) => !moving)).toEqual([{ theta: 1.0002, moving: false }]);
});

test("spinning is not a choice of the reader's", () => {
  const { control, sent, view } = opened();
  control.spin(0.5);
  expect(view.camera).toBeNull();
  control.rest();
  expect(sent).toEqual([
    { theta: 1.5, moving: true },
    { theta: 1.5, moving: false },
  ]);
});

test("a reset goes back to the first camera", () => {
  const { control, sent, view } = opened();
  control.go(turned(1));
  control.reset();
  expect(view.camera).toBeNull();
  expect(sent.at(-1)).toEqual({ theta: 1, moving: false });
});

test("after stop nothing more is drawn", () => {
  const { control, sent } = opened();
  control.go(turned(1));
  control.stop();
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(1);
});
