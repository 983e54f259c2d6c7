import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "../base/locale";
import { language } from "../state/view";
import { progressText } from "./loading_bar";

const start = {
  done: false,
  files_read: 0,
  files_total: 0,
  bytes_read: 0,
  bytes_total: 0,
  runs_read: 0,
  runs_total: 0,
};

test("a bucket that is being listed counts the files that were found", () => {
  const [english, chinese] = LANGUAGES as readonly [Language, Language];
  language.value = english;
  expect(progressText(start)).toBe("Looking for event files…");
  expect(progressText({ ...start, files_total: 12000 })).toBe("Listing… 12,000 files found");
  expect(progressText({ ...start, files_total: 1 })).toBe("Listing… 1 file found");
  language.value = chinese;
  expect(progressText({ ...start, files_total: 12000 })).toBe("正在列出对象… 已找到 12,000 个文件");
  language.value = english;
});
