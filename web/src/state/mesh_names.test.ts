import { expect, test } from "vitest";
import { meshName, withVertices } from "./mesh_names";

test("a mesh has one card, whatever its parts", () => {
  const tags = ["a_COLOR", "a_FACE", "a_VERTEX", "b_FACE", "c", "d/e_VERTEX"];
  expect(withVertices(tags)).toEqual(["a_VERTEX", "b_FACE", "c", "d/e_VERTEX"]);
  expect(["a_VERTEX", "b_FACE", "c", "_VERTEX"].map(meshName)).toEqual(["a", "b", "c", "_VERTEX"]);
});
