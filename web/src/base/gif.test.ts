import { expect, test } from "vitest";
import { gifFrames } from "./gif";

function frame(hundredths: number): number[] {
  return [0x21, 0xf9, 4, 0, hundredths & 255, hundredths >> 8, 0, 0, 0x2c, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 1, 0];
}

// 3 × 2 pixels, two colors
const HEAD = [...new TextEncoder().encode("GIF89a"), 3, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
const LOOP = [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0];

test("frames are timed by their delays", () => {
  const bytes = Uint8Array.from([...HEAD, ...LOOP, ...frame(10), ...frame(50), ...frame(300), 0x3b]);
  expect(gifFrames(bytes)).toEqual({ widthPx: 3, heightPx: 2, times: [0, 0.1, 0.6], seconds: 3.6 });
});

test("hardly any delay is the usual one, as browsers have it", () => {
  expect(gifFrames(Uint8Array.from([...HEAD, ...frame(0), ...frame(1), 0x3b]))?.times).toEqual([0, 0.1]);
});

test("what is cut or no GIF", () => {
  const whole = [...HEAD, ...frame(10), ...frame(10), 0x3b];
  for (let cut = 0; cut < whole.length; cut++) {
    const found = gifFrames(Uint8Array.from(whole.slice(0, cut)));
    expect(found === null || found.times.length <= 2).toBe(true);
  }
  expect(gifFrames(new Uint8Array())).toBe(null);
  expect(gifFrames(new TextEncoder().encode("GIF88a and something"))).toBe(null);
});
