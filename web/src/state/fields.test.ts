import { expect, test } from "vitest";
import {
  choiceField,
  decode,
  encode,
  flagField,
  formatParameters,
  namesField,
  numberField,
  parseParameters,
} from "./fields";

test("odd names survive an address", () => {
  const odd = ["a,b", "~1", "~", "", "中文/é", "100%", "a&b=c#d", "bad\udcff", "~x", "😀", "~xdcff", "a+b c"];
  const field = namesField();
  expect(field.parse(decode(encode(field.format(odd))))).toEqual(odd);
  expect(field.parse(field.format([""]))).toEqual([""]);
  expect(field.parse(field.format([]))).toEqual([]);
});

test("an address stays legible", () => {
  expect(encode("train/loss,eval/loss")).toBe("train/loss,eval/loss");
});

test("a cut address is read as far as it goes", () => {
  expect(parseParameters("a=1&b=%E4%B8").get("a")).toBe("1");
  expect(parseParameters("&&=x&b").size).toBe(0);
});

test("parameters come back", () => {
  const given = [
    ["a", "x=y&z"],
    ["b", "#?"],
  ] as const;
  expect([...parseParameters(formatParameters(given))]).toEqual(given.map((pair) => [...pair]));
});

test("what a field cannot mean is ignored", () => {
  expect(choiceField(["step", "wall"], "step").parse("steps")).toBeUndefined();
  expect(flagField(true).parse("maybe")).toBeUndefined();
  expect(numberField(0.6, 0, 0.999).parse("x")).toBeUndefined();
  expect(numberField(0.6, 0, 0.999).parse("7")).toBe(0.999);
  expect(numberField(0.6, 0, 0.999).parse("")).toBeUndefined();
});
