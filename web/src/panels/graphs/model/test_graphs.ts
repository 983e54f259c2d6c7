// Graphs for tests, written as lines: "name = Op < input, input:1, ^control @ device".

import { CALL, CONST, CONTROL, type Columns, OP, PLACEHOLDER, SUMMARY } from "./columns";

type Wanted = {
  readonly functions?: readonly { readonly name: string; readonly first: number; readonly nodes: number }[];
};

const KINDS: Readonly<Record<string, number>> = { Const: CONST, Placeholder: PLACEHOLDER, ScalarSummary: SUMMARY };

export function graphOf(lines: readonly string[], { functions = [] }: Wanted = {}): Columns {
  const parsed = lines.map((line) => {
    const [, name = "", op = "", inputs = "", device = ""] =
      /^(.*?) = (\S+)(?: < (.*?))?(?: @ (.*))?$/.exec(line) ?? [];
    return { name, op, inputs: inputs === "" ? [] : inputs.split(", "), device };
  });
  const names = parsed.map(({ name }) => name);
  const place = new Map(names.map((name, i) => [name, i]));
  const ops = [...new Set(parsed.map(({ op }) => op))];
  const devices = [...new Set(parsed.map(({ device }) => device))].filter((device) => device !== "");
  const edgeAt = [0];
  const [edgeFrom, edgeSlot, edgeFlags]: number[][] = [[], [], []];
  for (const { inputs } of parsed) {
    for (const input of inputs) {
      const [, control, name = "", slot = "0"] = /^(\^?)(.*?)(?::(\d+))?$/.exec(input) ?? [];
      const from = place.get(name);
      if (from === undefined) throw new Error(`no node ${name}`);
      edgeFrom?.push(from);
      edgeSlot?.push(Number(slot));
      edgeFlags?.push(control === "^" ? CONTROL : 0);
    }
    edgeAt.push(edgeFrom?.length ?? 0);
  }
  const functionOf = (i: number): number => functions.findIndex(({ first, nodes }) => i >= first && i < first + nodes);
  return {
    names,
    op: parsed.map(({ op }) => ops.indexOf(op)),
    device: parsed.map(({ device }) => devices.indexOf(device)),
    cluster: names.map(() => -1),
    kind: parsed.map(({ op }) => (functions.some(({ name }) => name === op) ? CALL : (KINDS[op] ?? OP))),
    function: names.map((_, i) => functionOf(i)),
    calls: new Map(
      parsed.flatMap(({ op }, i) => {
        const called = functions.findIndex(({ name }) => name === op);
        return called < 0 ? [] : [[i, [called]]];
      }),
    ),
    ops,
    devices,
    clusters: [],
    shapes: [],
    functions,
    edgeAt,
    edgeFrom: edgeFrom ?? [],
    edgeSlot: edgeSlot ?? [],
    edgeFlags: edgeFlags ?? [],
    edgeShape: (edgeFrom ?? []).map(() => -1),
    problems: [],
  };
}

/** Returns a network of many layers with this many nodes, in namespaces, each with inputs. */
export function deepGraph(nodes: number): Columns {
  const lines = ["input = Placeholder"];
  let before = "input";
  for (let layer = 0; lines.length < nodes; layer++) {
    const at = `model/stage_${Math.floor(layer / 24)}/layer_${layer}`;
    for (let head = 0; head < 8; head++) {
      const name = `${at}/attention/head_${head}`;
      lines.push(`${name}/kernel = VarHandleOp`, `${name}/read = ReadVariableOp < ${name}/kernel`);
      lines.push(`${name}/matmul = MatMul < ${before}, ${name}/read`, `${name}/softmax = Softmax < ${name}/matmul`);
    }
    const heads = Array.from({ length: 8 }, (_, head) => `${at}/attention/head_${head}/softmax`).join(", ");
    lines.push(`${at}/attention/concat = ConcatV2 < ${heads}`, `${at}/add = AddV2 < ${at}/attention/concat, ${before}`);
    before = `${at}/add`;
  }
  return graphOf(lines.slice(0, nodes));
}
