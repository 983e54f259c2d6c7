import { expect, test } from "vitest";
import { factsOf } from "./facts";
import { buildHierarchy } from "./hierarchy";
import { buildLinks } from "./links";
import { graphOf } from "./test_graphs";
import { DOES_NOT, FITS, tpuCodes } from "./tpu";

function codesOf(lines: readonly string[]): readonly number[] | null {
  const codes = tpuCodes(graphOf(lines));
  return codes === null ? null : [...codes];
}

test("operations are told apart by whether XLA compiles them", () => {
  expect(codesOf(["a = Placeholder", "b = MatMul < a", "c = PyFunc < b", "d = XlaDot < b"])).toEqual([
    FITS,
    FITS,
    DOES_NOT,
    FITS,
  ]);
});

test("what is placed on another device does not matter, a TPU's host included", () => {
  const lines = [
    "a = Const",
    "b = PyFunc @ /device:CPU:0",
    "c = PyFunc @ /device:TPU:0",
    "d = ConfigureDistributedTPU @ /device:TPU_SYSTEM:0",
    "e = PyFunc @ /device:GPU:1",
  ];
  expect(codesOf(lines)).toEqual([FITS, FITS, DOES_NOT, FITS, FITS]);
});

test("a call is as good as its body", () => {
  const columns = graphOf(["x = Placeholder", "first = square < x", "square/p = PyFunc", "square/x = input_arg"], {
    functions: [{ name: "square", first: 2, nodes: 2 }],
  });
  expect([...(tpuCodes(columns) ?? [])]).toEqual([FITS, FITS, DOES_NOT, FITS]);
});

test("graphs of others are not judged", () => {
  expect(codesOf(["a = aten::mul", "b = Const"])).toBeNull();
  expect(codesOf(["a = Dense", "b = Dropout", "c = InputLayer"])).toBeNull();
  expect(codesOf([])).toBeNull();
});

test("of a namespace the operations that do not fit are counted", () => {
  const hierarchy = buildHierarchy(
    graphOf(["n/a = Const", "n/b = PyFunc", "n/c = PyFunc", "n/d = DecodeJpeg", "x = PyFunc"]),
  );
  const facts = factsOf(buildLinks(hierarchy), hierarchy.itemOf("n"), tpuCodes(hierarchy.columns));
  expect(facts.tpu).toEqual({
    nodes: 4,
    fit: 1,
    unfit: [
      { name: "PyFunc", count: 2 },
      { name: "DecodeJpeg", count: 1 },
    ],
  });
});
