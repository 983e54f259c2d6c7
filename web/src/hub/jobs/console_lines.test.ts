import { expect, test } from "vitest";
import { PLAIN, parseLine, plainText } from "./ansi";
import { ConsoleLines } from "./console_lines";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function linesOf(console: ConsoleLines): readonly string[] {
  return Array.from({ length: console.count }, (_, index) => console.at(index)?.text ?? "");
}

test("pieces that are cut anywhere give the same lines", () => {
  const whole = bytes("loss 0.5\nepoch 二 ✓\n\nlast");
  for (let cut = 0; cut <= whole.length; cut++) {
    const console = new ConsoleLines();
    console.add(whole.slice(0, cut));
    console.add(whole.slice(cut));
    expect(linesOf(console)).toEqual(["loss 0.5", "epoch 二 ✓", "", "last"]);
  }
});

test("a progress bar shows what it wrote last", () => {
  const console = new ConsoleLines();
  console.add(bytes("start\n 10%|#   |\r 20%|##  |"));
  expect(linesOf(console)).toEqual(["start", " 20%|##  |"]);
  console.add(bytes("\r100%|####|\ndone\r\n"));
  expect(linesOf(console)).toEqual(["start", "100%|####|", "done"]);
});

test("colors go on in the next line until they end", () => {
  const console = new ConsoleLines();
  console.add(bytes("\x1b[31mred\nstill\x1b[0m plain\nplain\n"));
  expect(console.at(1)?.style.ink).toBe(1);
  const { spans } = parseLine(console.at(1)?.text ?? "", console.at(1)?.style ?? PLAIN);
  expect(spans.map(({ text, style }) => [text, style.ink])).toEqual([
    ["still", 1],
    [" plain", null],
  ]);
  expect(console.at(2)?.style).toEqual(PLAIN);
});

test("256 colors, true colors and bright ones", () => {
  const ink = (codes: string) => parseLine(`\x1b[${codes}mx`, PLAIN).spans[0]?.style;
  expect(ink("38;5;196")?.ink).toBe("rgb(255 0 0)");
  expect(ink("38;5;244")?.ink).toBe("rgb(128 128 128)");
  expect(ink("38;5;3")?.ink).toBe(3);
  expect(ink("38;2;1;2;3;1")).toMatchObject({ ink: "rgb(1 2 3)", bold: true });
  expect(ink("48:2:9:9:9")?.paper).toBe("rgb(9 9 9)");
  expect(ink("91;4")).toMatchObject({ ink: 9, underlined: true });
  expect(ink("1;22;39")).toEqual(PLAIN);
  for (const odd of ["38", "38;5", "38;5;999", "38;2;300;0;0", "38;9;1", "999", "?25"])
    expect(ink(odd)?.ink).toBe(null);
});

test("nothing of an escape sequence or a control character is shown", () => {
  const odd = "a\x1b[2Kb\x1b[10;3Hc\x1b]8;;javascript:alert(1)\x07d\x1b]0;title\x1b\\e\x1b(Bf\x00\x07\x08g\x1b";
  expect(plainText(odd)).toBe("abcdefg");
  const { spans } = parseLine(odd, PLAIN);
  expect(spans.map(({ text }) => text).join("")).toBe(plainText(odd));
  expect(parseLine("<img src=x onerror=alert(1)>", PLAIN).spans[0]?.text).toBe("<img src=x onerror=alert(1)>");
});

test("lines are found without their colors, in upper and lower case", () => {
  const console = new ConsoleLines();
  console.add(bytes("Loss 1\n\x1b[1mlo\x1b[0mss 2\nother\nLOSS 3"));
  expect(console.find("loss")).toEqual([0, 1, 3]);
  expect(console.find("")).toEqual([]);
});

test("a long console keeps its last lines, and a line without an end is cut", () => {
  const console = new ConsoleLines();
  const block = bytes("0123456789\n".repeat(50_000));
  for (let number = 0; number < 10; number++) console.add(block);
  expect(console.count + console.dropped).toBe(500_000);
  expect(console.count).toBeLessThan(420_001);
  const endless = new ConsoleLines();
  endless.add(bytes("x".repeat(100_000)));
  expect(Math.max(...linesOf(endless).map((line) => line.length))).toBeLessThanOrEqual(40_000);
});
