import { expect, test } from "vitest";
import { pointSearch } from "./point_search";
import type { Picked } from "./stage";

/** The test sends responses; requests and shown points are recorded in order. */
function opened(): {
  search: ReturnType<typeof pointSearch>;
  asked: number[];
  answer: (row: number) => Promise<void>;
  shown: (number | null)[];
} {
  const asked: number[] = [];
  const waiting: ((picked: Picked) => void)[] = [];
  const shown: (number | null)[] = [];
  const search = pointSearch(
    (x) => {
      asked.push(x);
      return new Promise((resolve) => waiting.push(resolve));
    },
    (point) => shown.push(point === null ? null : point.row),
  );
  const answer = async (row: number): Promise<void> => {
    waiting.shift()?.({ row, x: 0, y: 0 });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { search, asked, answer, shown };
}

test("while one place is looked up, only the newest other place is kept", async () => {
  const { search, asked, answer, shown } = opened();
  search.moveTo(1, 0);
  search.moveTo(2, 0);
  search.moveTo(3, 0);
  expect(asked).toEqual([1]);
  await answer(7);
  expect(asked).toEqual([1, 3]);
  await answer(8);
  expect(asked).toEqual([1, 3]);
  expect(shown).toEqual([7, 8]);
});

test("the same point is shown once", async () => {
  const { search, answer, shown } = opened();
  search.moveTo(1, 0);
  await answer(7);
  search.moveTo(2, 0);
  await answer(7);
  search.moveTo(3, 0);
  await answer(-1);
  search.moveTo(4, 0);
  await answer(-1);
  expect(shown).toEqual([7, null]);
});

test("an answer that comes after the pointer has left is dropped", async () => {
  const { search, answer, shown } = opened();
  search.moveTo(1, 0);
  search.leave();
  await answer(7);
  expect(shown).toEqual([null]);
  search.moveTo(1, 0);
  await answer(7);
  expect(shown).toEqual([null, 7]);
});
