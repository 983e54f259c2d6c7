import { expect, test } from "vitest";
import { kindCard, parseCardKey } from "./card_keys";

test("a key says which card it is, whatever the names", () => {
  for (const name of ["", "a/b", "a|b", "100%", "%7C", "中文 🚀", "\udc80"]) {
    const card = kindCard("images", name, name);
    expect(parseCardKey(card.key)).toEqual(card);
  }
  expect(kindCard("images", "train/pred", "a|b").key).toBe("images|train/pred|a%7Cb");
});

test("other texts are no keys of kinds", () => {
  expect(["", "tag:loss", "made:1", "images|a", "images|a|b|c", "images|%FF|b"].map(parseCardKey)).toEqual(
    new Array(6).fill(null),
  );
});
