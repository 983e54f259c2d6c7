// Requests the point under the pointer, one request at a time. During a request only the newest position is kept.

import type { Picked } from "./stage";

export type PointSearch = {
  readonly moveTo: (x: number, y: number) => void;
  /** The pointer left or was pressed: shows no point and ignores pending responses. */
  readonly leave: () => void;
};

/** `ask` resolves to row -1 if there is no point; `show` is called when the point changes, with null for none. */
export function pointSearch(
  ask: (x: number, y: number) => Promise<Picked>,
  show: (point: Picked | null) => void,
): PointSearch {
  let asking = false;
  let place: readonly [number, number] | null = null;
  let shownRow = -1;
  const look = async (): Promise<void> => {
    if (asking || place === null) return;
    asking = true;
    const [x, y] = place;
    const picked = await ask(x, y).finally(() => {
      asking = false;
    });
    if (place === null) return;
    if (picked.row !== shownRow) {
      shownRow = picked.row;
      show(picked.row < 0 ? null : picked);
    }
    if (place[0] !== x || place[1] !== y) void look();
  };
  return {
    moveTo: (x, y) => {
      place = [x, y];
      void look();
    },
    leave: () => {
      place = null;
      shownRow = -1;
      show(null);
    },
  };
}
