import { beforeEach, expect, test } from "vitest";
import {
  choiceOf,
  choosePageStep,
  chooseSample,
  chooseStep,
  followMark,
  letGoOfMark,
  linkedStep,
  pageStep,
  placeOfStep,
  sampleOfCard,
} from "./step_choice";
import { changeView, DEFAULT_VIEW, formatAddress, parseAddress, view } from "./view";

const STEPS = new Float64Array([0, 10, 20, 30]);

beforeEach(() => {
  view.value = { ...DEFAULT_VIEW, page: "images" };
});

test("the nearest step up to the wished one, else the first", () => {
  expect(["-5", "0", "9", "10", "29", "99"].map((step) => placeOfStep(STEPS, step))).toEqual([0, 0, 0, 1, 2, 3]);
  expect(placeOfStep(new Float64Array(), "3")).toBe(-1);
});

test("after a step back the later point counts", () => {
  expect(placeOfStep(new Float64Array([0, 10, 20, 10, 15]), "12")).toBe(3);
});

test("steps with more digits than a double are told apart", () => {
  const large = new BigInt64Array([9007199254740992n, 9007199254740993n, 9007199254740994n]);
  expect(placeOfStep(large, "9007199254740993")).toBe(1);
  expect(placeOfStep(large, "12.5")).toBe(0);
});

test("own choice before the page's before the marked before the newest", () => {
  expect(choiceOf("k", STEPS)).toEqual({ at: 3, by: "newest" });
  changeView({ stepTable: true, steps: { lo: 12, hi: null } });
  expect(choiceOf("k", STEPS)).toEqual({ at: 1, by: "link" });
  choosePageStep(20);
  expect(choiceOf("k", STEPS)).toEqual({ at: 2, by: "page" });
  chooseStep("k", 0);
  expect(choiceOf("k", STEPS)).toEqual({ at: 0, by: "card" });
  expect(choiceOf("other", STEPS)).toEqual({ at: 2, by: "page" });
  chooseStep("k", null);
  followMark();
  expect(choiceOf("k", STEPS).by).toBe("link");
  letGoOfMark();
  expect(choiceOf("k", STEPS).by).toBe("newest");
});

test("of a marked range its end, and nothing while marks are switched off", () => {
  changeView({ stepTable: true, steps: { lo: 5, hi: 25 } });
  expect(linkedStep.value).toBe("25");
  changeView({ stepTable: false });
  expect(linkedStep.value).toBe(null);
});

test("on the time series page the slider of the others counts for nothing, and choosing a step marks it", () => {
  choosePageStep(20);
  changeView({ page: "timeseries" });
  expect(choiceOf("k", STEPS).by).toBe("newest");
  choosePageStep(12);
  expect(view.value.steps).toEqual({ lo: 12, hi: null });
  expect([choiceOf("k", STEPS), pageStep.value]).toEqual([{ at: 1, by: "link" }, "12"]);
  choosePageStep(null);
  expect([choiceOf("k", STEPS).by, pageStep.value, view.value.stepAll]).toEqual(["newest", "", "20"]);
});

test("an empty series has nothing to choose", () => {
  expect(choiceOf("k", new Float64Array()).at).toBe(-1);
  chooseStep("k", 3);
  expect(choiceOf("k", new Float64Array()).at).toBe(-1);
});

test("choices travel in the address, and nonsense does not", () => {
  chooseStep("images|a|b", 9007199254740993n);
  choosePageStep(-3);
  chooseSample("images|a|b", 2);
  const again = parseAddress("", formatAddress(view.value));
  expect([again.stepOf, again.stepAll, again.sampleOf]).toEqual([
    { "images|a|b": "9007199254740993" },
    "-3",
    { "images|a|b": 2 },
  ]);
  const odd = parseAddress("", '#images?stepAll=soon&stepOf={"a":3,"b":"x"}&sampleOf={"a":-1,"b":1.5}&imagesZoom={}');
  expect([odd.stepAll, odd.stepOf, odd.sampleOf, odd.imagesZoom]).toEqual(["", {}, {}, null]);
});

test("a sample that is not there any more is the last one", () => {
  chooseSample("k", 5);
  expect([sampleOfCard("k", 8), sampleOfCard("k", 3), sampleOfCard("k", 0), sampleOfCard("other", 4)]).toEqual([
    5, 2, 0, 0,
  ]);
});
