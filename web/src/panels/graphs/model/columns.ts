// A graph as the server sends it: nodes in columns, edges by consumer. The worker decodes it from a frame.

import { decodeFrame, type FrameArray } from "../../../base/frame";

/** In the order of the server's numbers. */
export const NODE_KINDS = ["op", "const", "variable", "placeholder", "summary", "call"] as const;
export const [OP, CONST, VARIABLE, PLACEHOLDER, SUMMARY, CALL] = [0, 1, 2, 3, 4, 5] as const;

export const [CONTROL, REFERENCE] = [1, 2] as const;

export type GraphFunction = { readonly name: string; readonly first: number; readonly nodes: number };
export type GraphProblem = { readonly code: string; readonly count: number; readonly examples: readonly string[] };

export type Columns = {
  readonly names: readonly string[];
  /** Indices into the lists below; -1: none. */
  readonly op: ArrayLike<number>;
  readonly device: ArrayLike<number>;
  readonly cluster: ArrayLike<number>;
  readonly kind: ArrayLike<number>;
  /** The library function a node belongs to; -1: none. */
  readonly function: ArrayLike<number>;
  /** Library functions that nodes call. */
  readonly calls: ReadonlyMap<number, readonly number[]>;
  readonly ops: readonly string[];
  readonly devices: readonly string[];
  readonly clusters: readonly string[];
  readonly shapes: readonly string[];
  readonly functions: readonly GraphFunction[];
  /** Input edges of node i are [edgeAt[i], edgeAt[i + 1]); `edgeFrom` has the source of each. */
  readonly edgeAt: ArrayLike<number>;
  readonly edgeFrom: ArrayLike<number>;
  readonly edgeSlot: ArrayLike<number>;
  readonly edgeFlags: ArrayLike<number>;
  readonly edgeShape: ArrayLike<number>;
  readonly problems: readonly GraphProblem[];
};

type Header = {
  readonly ops?: readonly string[];
  readonly devices?: readonly string[];
  readonly shapes?: readonly string[];
  readonly clusters?: readonly string[];
  readonly functions?: readonly GraphFunction[];
  readonly problems?: readonly GraphProblem[];
};

export function columnsOf(frame: ArrayBuffer): Columns {
  const { header, arrays } = decodeFrame<Header>(frame);
  const bytes = (arrays.get("names") as Uint8Array | undefined) ?? new Uint8Array();
  const at = numbers(arrays.get("name_at"), 1, 0);
  const n = Math.max(0, at.length - 1);
  const edgeAt = numbers(arrays.get("edge_at"), n + 1, 0);
  const edges = edgeAt[n] ?? 0;
  const column = (name: string): ArrayLike<number> => numbers(arrays.get(name), n, -1);
  return {
    names: texts(bytes, at),
    op: column("op"),
    device: column("device"),
    cluster: column("cluster"),
    kind: numbers(arrays.get("kind"), n, OP),
    function: column("function"),
    calls: callsOf(numbers(arrays.get("call_node"), 0, 0), numbers(arrays.get("call_function"), 0, 0)),
    ops: header.ops ?? [],
    devices: header.devices ?? [],
    clusters: header.clusters ?? [],
    shapes: header.shapes ?? [],
    functions: header.functions ?? [],
    edgeAt,
    edgeFrom: numbers(arrays.get("edge_from"), edges, 0),
    edgeSlot: numbers(arrays.get("edge_slot"), edges, 0),
    edgeFlags: numbers(arrays.get("edge_flags"), edges, 0),
    edgeShape: numbers(arrays.get("edge_shape"), edges, -1),
    problems: header.problems ?? [],
  };
}

function numbers(array: FrameArray | undefined, length: number, fallback: number): ArrayLike<number> {
  if (array === undefined || array instanceof BigInt64Array) return new Int32Array(length).fill(fallback);
  return array;
}

function callsOf(nodes: ArrayLike<number>, functions: ArrayLike<number>): ReadonlyMap<number, readonly number[]> {
  const calls = new Map<number, number[]>();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] ?? 0;
    calls.set(node, [...(calls.get(node) ?? []), functions[i] ?? 0]);
  }
  return calls;
}

/** Decodes names. If all are ASCII (nearly always), one decoding is enough: byte offsets are character offsets. */
function texts(bytes: Uint8Array, at: ArrayLike<number>): readonly string[] {
  const decoder = new TextDecoder();
  const whole = decoder.decode(bytes);
  const plain = whole.length === bytes.length;
  return Array.from({ length: Math.max(0, at.length - 1) }, (_, i) => {
    const [from, to] = [at[i] ?? 0, at[i + 1] ?? 0];
    return plain ? whole.slice(from, to) : decoder.decode(bytes.subarray(from, to));
  });
}

/** Returns the number of elements of a shape as the server writes it (`2×?×3`, `scalar`); `?` counts as one. */
export function elementsOf(shape: string): number {
  if (shape === "" || shape === "?") return 0;
  let product = 1;
  for (const part of shape.match(/\d+/g) ?? []) product *= Math.max(1, Number(part));
  return product;
}
