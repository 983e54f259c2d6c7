// What the page knows about the snapshot that it is: null on a board with a server. `lightboard snapshot` writes the
// element (src/lightboard/snapshot/page.py).

export type SnapshotInfo = {
  readonly name: string;
  /** Seconds since 1970. */
  readonly taken: number;
  /** The kinds in the file; other kinds have no tab. */
  readonly kinds: readonly string[];
  /** The most points of a line; 0: every point is in the file. */
  readonly points: number;
  /** The smoothing that was computed from all points, in the syntax of /api/scalars; "" for none. */
  readonly smoothing: string;
  /** The view that the page opens with: the text after # in the address. */
  readonly view: string;
};

export const snapshot: SnapshotInfo | null = readInfo();

function readInfo(): SnapshotInfo | null {
  const text = globalThis.document?.getElementById("snapshot")?.textContent;
  return text === undefined || text === null || text === "" ? null : (JSON.parse(text) as SnapshotInfo);
}
