import { expect, test } from "vitest";
import { pack, unpack } from "./packed";

test("texts arrive as they were, whatever is in them", () => {
  const texts = ["", "a", "\u0000\n", "图😀", "\ud800", ""];
  expect(unpack(pack(texts))).toEqual(texts);
  expect(unpack(pack([]))).toEqual([]);
});
