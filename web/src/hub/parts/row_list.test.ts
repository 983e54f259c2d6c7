import { expect, test, vi } from "vitest";
import type { BoardsQuery } from "../api/boards";
import type { Board, BoardPage } from "../api/types";
import { BoardList } from "../boards/board_list";

function board(number: number, more: Partial<Board> = {}): Board {
  return { id: `b${number}`, name: `board ${number}`, state: "Running", ...more } as Board;
}

/** A hub with this many boards, and the requests it got. */
function hub(count: number) {
  const requests: BoardsQuery[] = [];
  const load = async (query: BoardsQuery): Promise<BoardPage> => {
    requests.push(query);
    const from = Number(query.page_token || "0");
    const end = Math.min(count, from + (query.limit ?? 50));
    const items = Array.from({ length: end - from }, (_, at) => board(from + at));
    return { items, next_page_token: end < count ? String(end) : "", total: count };
  };
  return { requests, list: new BoardList(load) };
}

test("rows are loaded page by page, as far as they are wanted", async () => {
  const { list, requests } = hub(10_000);
  list.show({});
  await vi.waitFor(() => expect(list.rows.value.length).toBe(50));
  expect(list.total.value).toBe(10_000);
  list.want(900);
  await vi.waitFor(() => expect(list.rows.value.length).toBe(1050));
  expect(requests.map(({ page_token }) => page_token)).toEqual(["", "50", "550"]);
  expect(new Set(list.rows.value.map(({ id }) => id)).size).toBe(1050);
});

test("all rows can be loaded, for a selection of everything", async () => {
  const { list } = hub(1234);
  list.show({});
  await vi.waitFor(() => expect(list.rows.value.length).toBe(50));
  await list.wantAll();
  list.selectAll();
  expect(list.selectedRows.value.length).toBe(1234);
});

test("a change replaces its row, and a board that is gone leaves rows and selection", async () => {
  const { list, requests } = hub(3);
  list.show({});
  await vi.waitFor(() => expect(list.rows.value.length).toBe(3));
  list.selectAll();
  list.apply(board(1, { state: "Stopped" }));
  expect(list.rows.value.map(({ state }) => state)).toEqual(["Running", "Stopped", "Running"]);
  list.drop("b1");
  expect(list.rows.value.map(({ id }) => id)).toEqual(["b0", "b2"]);
  expect([list.total.value, list.selected.value.size]).toEqual([2, 2]);
  expect(requests.length).toBe(1);
});

test("a change that may move a row, and a new board, load the rows again", async () => {
  const { list, requests } = hub(3);
  list.show({ sort: "name" });
  await vi.waitFor(() => expect(list.rows.value.length).toBe(3));
  list.apply(board(1, { name: "aaa" }));
  await vi.waitFor(() => expect(requests.length).toBe(2));
  list.apply(board(77));
  await vi.waitFor(() => expect(requests.length).toBe(3), { timeout: 10_000 });
});

test("news that come before the first rows do not delay them", async () => {
  const answers: (() => void)[] = [];
  const list = new BoardList((_query, signal) => {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      answers.push(() => resolve({ items: [board(answers.length)], next_page_token: "", total: 1 }));
    });
  });
  list.show({});
  list.apply(board(99));
  expect(answers.length).toBe(1);
  answers[0]?.();
  await vi.waitFor(() => expect(list.rows.value.map(({ id }) => id)).toEqual(["b1"]));
  await vi.waitFor(() => expect(answers.length).toBe(2));
});

test("another query ends the requests of the one before", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const list = new BoardList(async ({ q = "" }) => {
    if (q === "slow") await held;
    return { items: [board(q === "slow" ? 1 : 2)], next_page_token: "", total: 1 };
  });
  list.show({ q: "slow" });
  list.show({ q: "fast" });
  await vi.waitFor(() => expect(list.rows.value.map(({ id }) => id)).toEqual(["b2"]));
  release();
  await held;
  await Promise.resolve();
  expect(list.rows.value.map(({ id }) => id)).toEqual(["b2"]);
});

test("an error stays until it is retried", async () => {
  let broken = true;
  const list = new BoardList(async () => {
    if (broken) throw new Error("down");
    return { items: [board(1)], next_page_token: "", total: 1 };
  });
  list.show({});
  await vi.waitFor(() => expect(list.error.value).toEqual(new Error("down")));
  broken = false;
  list.retry();
  await vi.waitFor(() => expect(list.rows.value.length).toBe(1));
  expect(list.error.value).toBe(null);
});
