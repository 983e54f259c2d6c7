import { expect, test } from "vitest";
import { readViewFile, viewAsFile } from "./saved_views";
import { changeView, formatAddress, view } from "./view";

test("a view written to a file is read back", () => {
  changeView({ tagFilter: "损失, loss", smoothing: 0.9 });
  expect(readViewFile(viewAsFile("mine"))).toEqual({ name: "mine", view: formatAddress(view.value) });
});

test("files of the server are understood, others are refused", () => {
  expect(readViewFile('{"name": "a", "view": "#runs?", "saved": 1}')).toEqual({ name: "a", view: "#runs?" });
  for (const text of ["", "not json", "null", "[]", '{"view": 3}', '{"what": "else", "view": "#x"}']) {
    expect(readViewFile(text)).toBeNull();
  }
});
