// Tests which scenes the page sends, and when. The browser tests cover canvases and workers.

import { expect, test } from "vitest";
import { sceneSender } from "./chart";
import type { SceneNews } from "./messages";
import { sceneOf, styleOf } from "./test_data";

const styles = [styleOf("#111111")];
const bands = [styleOf("#222222")];

function sender() {
  const sent: SceneNews[] = [];
  return { sent, ...sceneSender((scene) => sent.push(scene)) };
}

const at = (crosshair: number) => sceneOf({ crosshair, layers: [{ id: 1, styles, bands }] });

test("two scenes travel at once, and of those that wait only the newest is sent", () => {
  const { sent, draw, drawn } = sender();
  for (const crosshair of [1, 2, 3, 4]) draw(at(crosshair));
  expect(sent.map(({ crosshair }) => crosshair)).toEqual([1, 2]);
  drawn(false);
  expect(sent.map(({ crosshair }) => crosshair)).toEqual([1, 2, 4]);
  draw(at(5));
  expect(sent.length).toBe(3);
  drawn(true);
  expect(sent.map(({ crosshair }) => crosshair)).toEqual([1, 2, 4, 5]);
});

test("a crisp drawing shows all scenes that were sent", () => {
  const { sent, draw, drawn } = sender();
  draw(at(1));
  draw(at(2));
  drawn(true);
  draw(at(3));
  draw(at(4));
  expect(sent.length).toBe(4);
});

test("styles that the worker has are sent by their number alone", () => {
  const { sent, draw, drawn } = sender();
  draw(at(1));
  drawn(true);
  draw(at(2));
  drawn(true);
  const [first, second] = sent.map(({ layers }) => layers[0]);
  expect(first?.styles.list).toBe(styles);
  expect(second?.styles).toEqual({ number: first?.styles.number });
  expect(second?.bands).toEqual({ number: first?.bands.number });
});

test("styles left out of one scene are sent again later", () => {
  const { sent, draw, drawn } = sender();
  for (const scene of [at(1), sceneOf(), at(2)]) {
    draw(scene);
    drawn(true);
  }
  expect(sent[2]?.layers[0]?.styles.list).toBe(styles);
});
