import { expect, test } from "vitest";
import { parseHex } from "./color_picker";

test("colours may be written short, without the sign, in any case", () => {
  expect(["#abc", "ABC", "#a1B2c3", " 00ff00 "].map(parseHex)).toEqual(["#aabbcc", "#aabbcc", "#a1b2c3", "#00ff00"]);
});

test("anything else is no colour", () => {
  expect(["", "#ab", "red", "#12345g", "#1234567"].map(parseHex)).toEqual([null, null, null, null, null]);
});
