import { expect, test } from "vitest";
import early from "../public/early_hub.js?raw";
import { addressOf } from "./hub/api/client";
import { firstQuery } from "./hub/boards/board_list";

test("the first rows of the hub's list are requested early, in the words of the page", () => {
  expect(early).toContain(`"./${addressOf("boards", firstQuery({}))}"`);
});
