import { expect, test } from "vitest";
import { drawnAt, magnification, panned, WHOLE, zoomedAt } from "./zoom";

const PICTURE = { widthPx: 100, heightPx: 50 };
const FRAME = { widthPx: 400, heightPx: 400 };

test("a picture is whole and in the middle", () => {
  expect(drawnAt(PICTURE, FRAME, WHOLE)).toEqual({ widthPx: 400, heightPx: 200, leftPx: 0, topPx: 100 });
  expect(magnification(PICTURE, FRAME, WHOLE)).toBe(4);
});

test("what is under the pointer stays there", () => {
  const pointer = { x: 100, y: 150 };
  const zoom = zoomedAt(PICTURE, FRAME, WHOLE, 3, pointer);
  const before = drawnAt(PICTURE, FRAME, WHOLE);
  const after = drawnAt(PICTURE, FRAME, zoom ?? WHOLE);
  expect((pointer.x - after.leftPx) / after.widthPx).toBeCloseTo((pointer.x - before.leftPx) / before.widthPx);
  expect((pointer.y - after.topPx) / after.heightPx).toBeCloseTo((pointer.y - before.topPx) / before.heightPx);
});

test("zooming out ends with the whole, and nothing is dragged off the page", () => {
  expect(zoomedAt(PICTURE, FRAME, { scale: 1.1, x: 0.2, y: 0.2 }, 0.5, { x: 0, y: 0 })).toBe(null);
  expect(panned(PICTURE, FRAME, { scale: 4, x: 0.5, y: 0.5 }, 1e6, -1e6)).toEqual({ scale: 4, x: 0, y: 1 });
  expect(drawnAt({ widthPx: 0, heightPx: 0 }, FRAME, WHOLE).widthPx).toBe(0);
});
