// Groups indices by key into flat arrays, with a counting sort in two passes.

export type Buckets = { readonly start: Int32Array; readonly list: Int32Array };

/** Returns the indices of all keys grouped by key, in ascending order. Keys below 0 are skipped. */
export function bucketsOf(keys: Int32Array, buckets: number): Buckets {
  const start = new Int32Array(buckets + 1);
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? -1;
    if (key < 0) continue;
    start[key + 1] = (start[key + 1] ?? 0) + 1;
    count += 1;
  }
  for (let key = 0; key < buckets; key++) start[key + 1] = (start[key + 1] ?? 0) + (start[key] ?? 0);
  const next = start.slice();
  const list = new Int32Array(count);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? -1;
    if (key < 0) continue;
    list[next[key] ?? 0] = i;
    next[key] = (next[key] ?? 0) + 1;
  }
  return { start, list };
}

export function bucketAt({ start, list }: Buckets, key: number): Int32Array {
  return list.subarray(start[key] ?? 0, start[key + 1] ?? 0);
}
