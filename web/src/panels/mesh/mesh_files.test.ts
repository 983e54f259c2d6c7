import { expect, test } from "vitest";
import { objFile, plyFile } from "./mesh_files";

const MESH = {
  vertex: new Float32Array([0, 0, 0, 1, 0.5, 0, 0, 1, -2]),
  face: new Uint32Array([0, 1, 2]),
  color: new Uint8Array([255, 0, 0, 0, 255, 0, 0, 0, 255]),
};

test("OBJ counts vertices from 1", async () => {
  const lines = (await objFile(MESH).text()).trim().split("\n");
  expect(lines.slice(1)).toEqual([
    "v 0 0 0 1.0000 0.0000 0.0000",
    "v 1 0.5 0 0.0000 1.0000 0.0000",
    "v 0 1 -2 0.0000 0.0000 1.0000",
    "f 1 2 3",
  ]);
  expect(await objFile({ ...MESH, face: null, color: null }).text()).not.toContain("f ");
});

test("PLY says what follows, and it follows", async () => {
  const bytes = new Uint8Array(await plyFile(MESH).arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  const start = text.indexOf("end_header\n") + "end_header\n".length;
  expect(text).toContain("element vertex 3\n");
  expect(text).toContain("element face 1\n");
  expect(bytes.length - start).toBe(3 * 15 + 13);
  const view = new DataView(bytes.buffer, start);
  expect([view.getFloat32(15, true), view.getFloat32(19, true), view.getUint8(12)]).toEqual([1, 0.5, 255]);
  expect([view.getUint8(45), view.getInt32(54, true)]).toEqual([3, 2]);
  expect((await plyFile({ ...MESH, face: null, color: null }).text()).includes("uchar")).toBe(false);
});
