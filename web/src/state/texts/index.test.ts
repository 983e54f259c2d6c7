import { expect, test } from "vitest";
import { chooseLanguage } from "./index";

test("the reader's first language that we speak is chosen", () => {
  expect(chooseLanguage(["fr-FR", "zh-CN", "en-US"])).toBe("zh");
  expect(chooseLanguage(["en-GB", "zh"])).toBe("en");
  expect(chooseLanguage(["de"])).toBe("en");
});
