import { expect, test, vi } from "vitest";
import type { Upload } from "../api/uploads";
import { growthOf } from "./one_upload";
import { arranged, queryOf, UploadList } from "./upload_list";

function upload(id: string, more: Partial<Upload> = {}): Upload {
  return {
    id,
    name: `run ${id}`,
    description: "",
    owner: "ann",
    visibility: "private",
    created: id,
    ...more,
  } as Upload;
}

const ALL = [upload("1", { bytes: 5 }), upload("2", { bytes: 50, visibility: "public" }), upload("10", { bytes: 1 })];

test("uploads are searched, filtered and sorted", () => {
  const ids = (query: Parameters<typeof arranged>[1]): readonly string[] => arranged(ALL, query).map(({ id }) => id);
  expect(ids({ sort: "-size" })).toEqual(["2", "1", "10"]);
  expect(ids({ sort: "name" })).toEqual(["1", "2", "10"]);
  expect(ids({ q: "RUN 1" })).toEqual(["1", "10"]);
  expect(ids({ visibility: "public" })).toEqual(["2"]);
  expect(queryOf({ mine: "1" }, "ann")).toMatchObject({ owner: "ann", sort: "-created" });
});

test("the list shows pages of what the hub sends at once", async () => {
  const items = Array.from({ length: 120 }, (_, at) => upload(String(at)));
  const list = new UploadList(async () => ({ items }));
  list.show(queryOf({}, ""));
  await vi.waitFor(() => expect(list.rows.value.length).toBe(50));
  expect(list.total.value).toBe(120);
  await list.wantAll();
  expect(new Set(list.rows.value.map(({ id }) => id)).size).toBe(120);
});

test("growth is bytes per second, and nothing if nothing comes", () => {
  expect(growthOf([{ secs: 0, bytes: 0 }])).toBe(null);
  expect(
    growthOf([
      { secs: 0, bytes: 100 },
      { secs: 4, bytes: 500 },
    ]),
  ).toBe(100);
  expect(
    growthOf([
      { secs: 0, bytes: 5 },
      { secs: 4, bytes: 5 },
    ]),
  ).toBe(null);
});
