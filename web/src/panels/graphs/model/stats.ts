// Times and memory of nodes, recorded at one step.

import { decodeFrame, type FrameArray } from "../../../base/frame";
import type { Columns } from "./columns";
import type { Stats } from "./paint";

type Header = { readonly devices?: readonly string[] };

/** Decodes rows per node and device; times and allocated bytes of a node are added up. */
export function statsOf(frame: ArrayBuffer, columns: Columns): Stats {
  const { header, arrays } = decodeFrame<Header>(frame);
  const n = columns.names.length;
  const micros = new Float64Array(n).fill(Number.NaN);
  const bytes = new Float64Array(n).fill(Number.NaN);
  const device = new Int32Array(n).fill(-1);
  const node = doubles(arrays.get("node"));
  const compute = doubles(arrays.get("compute"));
  const allocated = doubles(arrays.get("bytes"));
  const devices = doubles(arrays.get("device"));
  for (let row = 0; row < node.length; row++) {
    const at = node[row] ?? -1;
    if (at < 0 || at >= n) continue;
    micros[at] = sum(micros[at], compute[row]);
    bytes[at] = sum(bytes[at], allocated[row]);
    device[at] = devices[row] ?? -1;
  }
  return { micros, bytes, device, devices: header.devices ?? [] };
}

function sum(one: number | undefined, other: number | undefined): number {
  const known = one === undefined || Number.isNaN(one) ? 0 : one;
  return known + (other ?? 0);
}

/** Sums too large for an exact double arrive as 64-bit integers; rounding them is fine here. */
function doubles(array: FrameArray | undefined): ArrayLike<number> {
  return array instanceof BigInt64Array ? Float64Array.from(array, Number) : (array ?? []);
}
