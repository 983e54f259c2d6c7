import { expect, test } from "vitest";
import { factsOf } from "./facts";
import { buildHierarchy, FUNCTION, LEAF, LIBRARY, NAMESPACE, SERIES } from "./hierarchy";
import { buildLinks } from "./links";
import { firstOpen, openItems } from "./opening";
import { deepGraph, graphOf } from "./test_graphs";

function childrenOf(hierarchy: ReturnType<typeof buildHierarchy>, path: string): readonly string[] {
  const item = path === "" ? hierarchy.root : hierarchy.itemOf(path);
  return [...hierarchy.children(item)].map((child) => hierarchy.label[child] ?? "");
}

test("names become namespaces, whatever their order", () => {
  const tree = buildHierarchy(graphOf(["a/b/x = Op", "c = Op", "a/y = Op", "a/b/z = Op"]));
  expect(childrenOf(tree, "")).toEqual(["c", "a"]);
  expect(childrenOf(tree, "a")).toEqual(["y", "b"]);
  expect(childrenOf(tree, "a/b")).toEqual(["x", "z"]);
  expect(tree.type[tree.itemOf("a/b")]).toBe(NAMESPACE);
});

test("a node called like a namespace is in it", () => {
  const tree = buildHierarchy(graphOf(["a = Op", "a/b = Op"]));
  expect(childrenOf(tree, "")).toEqual(["a"]);
  expect(childrenOf(tree, "a")).toEqual(["(a)", "b"]);
  expect(tree.itemOf("a/(a)")).toBe(0);
  expect(tree.type[tree.itemOf("a/(a)")]).toBe(LEAF);
});

test("leading and double slashes name no namespace", () => {
  const tree = buildHierarchy(graphOf(["/conv/Conv = Conv", "x//y = Op", "/ = Op"]));
  expect([...childrenOf(tree, "")].sort()).toEqual(["/", "conv", "x"]);
  expect(childrenOf(tree, "x")).toEqual(["y"]);
});

test("ten thousand slashes are no end of the page", () => {
  const deep = Array.from({ length: 10_000 }, (_, i) => `n${i % 7}`).join("/");
  const tree = buildHierarchy(graphOf([`${deep}/x = Op`, `/${deep}/y = Op`, "// = Op", "a///b = Op"]));
  expect(tree.depth[0]).toBe(10_001);
  expect(childrenOf(tree, "a")).toEqual(["b"]);
});

test("five numbered siblings that are alike are a series, four are not, and other operations are no siblings", () => {
  const lines = ["add = Add", "add_1 = Add", "add_2 = Add", "add_3 = Add"];
  const numbers = [0, 1, 2, 3, 4];
  expect(childrenOf(buildHierarchy(graphOf([...lines, "add_4 = Sub"])), "")).toHaveLength(5);
  const tree = buildHierarchy(graphOf([...lines, "add_4 = Add", ...numbers.map((i) => `Block[${i}]/x = Op`)]));
  expect(childrenOf(tree, "")).toEqual(["add_1…4", "Block[0…4]"]);
  expect(childrenOf(tree, "add_*")).toEqual(["add", "add_1", "add_2", "add_3", "add_4"]);
  expect(tree.type[tree.itemOf("Block[*]")]).toBe(SERIES);
});

test("series of one name and different structure are told apart", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `n_${i} = Op${i % 2}`);
  const tree = buildHierarchy(graphOf(lines));
  expect(childrenOf(tree, "")).toEqual(["n_0…10", "n_1…11"]);
  expect(tree.itemOf("n_*")).not.toBe(tree.itemOf("n_*~2"));
});

test("a series that was taken apart is none, and its members know of it", () => {
  const lines = [0, 1, 2, 3, 4, 5].map((i) => `a/layer_${i}/x = Op`);
  const tree = buildHierarchy(graphOf(lines), new Set(["a/layer_*"]));
  expect(childrenOf(tree, "a")).toHaveLength(6);
  expect(tree.apart.get(tree.itemOf("a/layer_3"))).toBe("a/layer_*");
});

test("bodies of functions stand in the library", () => {
  const functions = [{ name: "f", first: 2, nodes: 2 }];
  const tree = buildHierarchy(graphOf(["x = Op", "call = f < x", "in/x = Arg", "out = Ret < in/x"], { functions }));
  const [, , library] = [...tree.children(tree.root)];
  expect(tree.type[library ?? -1]).toBe(LIBRARY);
  const body = tree.itemOf("__function_library__/f");
  expect(tree.type[body]).toBe(FUNCTION);
  expect(childrenOf(tree, "__function_library__/f")).toEqual(["out", "in"]);
  const links = buildLinks(tree);
  expect(factsOf(links, body).callers).toEqual(["call"]);
  expect(factsOf(links, tree.itemOf("call")).bodies).toEqual(["__function_library__/f"]);
});

test("every node is in exactly the groups of its path", () => {
  const tree = buildHierarchy(deepGraph(3000));
  for (let i = 0; i < tree.leaves; i += 370) {
    for (let item = tree.leaves; item < tree.size; item++) {
      let above = tree.parent[i] ?? -1;
      while (above >= 0 && above !== item) above = tree.parent[above] ?? -1;
      expect(tree.contains(item, i)).toBe(above === item);
    }
  }
});

test("one namespace that is all of the graph is open at first; what the reader closed stays closed", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `net/part${"abcdefgh"[i % 8]}/n${i}x = Op`);
  const tree = buildHierarchy(graphOf([...lines, "other = Op"]));
  expect([...firstOpen(tree)].map((item) => tree.path[item])).toEqual(["net"]);
  const paths = (opened: string[], closed: string[]): string[] =>
    [...openItems(tree, opened, closed)].map((item) => tree.path[item] ?? "");
  expect(paths(["net/parta"], [])).toEqual(["net", "net/parta"]);
  expect(paths(["net/parta"], ["net"])).toEqual([]);
  expect(paths(["net/gone", "other"], [])).toEqual(["net"]);
});
