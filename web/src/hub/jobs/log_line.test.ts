import { expect, test } from "vitest";
import { PLAIN, parseLine } from "./ansi";
import { marked } from "./log_line";

const parts = (line: string, needle: string): readonly (readonly [string, boolean])[] =>
  marked(parseLine(line, PLAIN).spans, needle).map(({ text, found }) => [text, found]);

test("matches are marked, in upper and lower case", () => {
  expect(parts("Loss loss x", "loss")).toEqual([
    ["Loss", true],
    [" ", false],
    ["loss", true],
    [" x", false],
  ]);
  expect(parts("nothing", "loss")).toEqual([["nothing", false]]);
  expect(parts("abc", "")).toEqual([["abc", false]]);
});

test("a match may go over colors", () => {
  expect(parts("a\x1b[31mlo\x1b[32mss\x1b[0m!", "loss")).toEqual([
    ["a", false],
    ["lo", true],
    ["ss", true],
    ["!", false],
  ]);
});
