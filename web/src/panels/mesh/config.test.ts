import { expect, test } from "vitest";
import { parseConfig } from "./config";

test("a configuration as people write it", () => {
  const config = parseConfig(
    JSON.stringify({
      camera: { cls: "PerspectiveCamera", fov: 75 },
      lights: [
        { cls: "AmbientLight", color: "#ffffff", intensity: 0.75 },
        { cls: "DirectionalLight", color: "#f00", intensity: 0.5, position: [0, -1, 2] },
      ],
      material: { cls: "MeshStandardMaterial", roughness: 0.5, metalness: 0.2, wireframe: true },
    }),
  );
  expect(config.camera).toEqual({ flat: false, fov: 75, position: null });
  expect(config.lights?.map(({ cls, color, intensity }) => [cls, color, intensity])).toEqual([
    ["AmbientLight", 0xffffff, 0.75],
    ["DirectionalLight", 0xff0000, 0.5],
  ]);
  expect(config.lights?.[1]?.position).toEqual([0, -1, 2]);
  expect(config.material).toMatchObject({ cls: "MeshStandardMaterial", roughness: 0.5, wireframe: true, opacity: 1 });
});

test.each(["", "{}", "[]", "null", "7", '"x"', "{", '{"camera": 3, "lights": {}, "material": []}'])(
  "nothing usable in %s leaves the usual",
  (text) => {
    const config = parseConfig(text);
    expect(config.camera).toEqual({ flat: false, fov: null, position: null });
    expect([config.lights, config.material.cls, config.material.size]).toEqual([null, null, null]);
    expect(config.broken).toBe(!["", "{}"].includes(text) && !text.includes("camera"));
  },
);

test("members that could do harm, or make no sense, count for nothing", () => {
  const config = parseConfig(
    JSON.stringify({
      camera: { cls: "constructor", fov: "75", position: [1, 2, "x"], __proto__: { fov: 3 } },
      lights: [{ cls: "ObjectLoader" }, { cls: "PointLight", color: "url(x)", intensity: 1e9 }, null],
      material: { cls: "ShaderMaterial", fragmentShader: "x", color: "red", size: -1, opacity: 7, map: "http://x" },
    }),
  );
  expect(config.camera).toEqual({ flat: false, fov: null, position: null });
  expect(config.lights).toEqual([
    { cls: "PointLight", color: 0xffffff, ground: 0x444444, intensity: 100, position: [0, 1, 0] },
  ]);
  expect(config.material).toMatchObject({ cls: null, color: null, size: null, opacity: 1 });
});

test("colours in every way of writing", () => {
  const colors = [255, "#0f0", "0x0000ff", [1, 0.5, 0], 1e9, "#12"].map(
    (color) => parseConfig(JSON.stringify({ material: { color } })).material.color,
  );
  expect(colors).toEqual([255, 0x00ff00, 0x0000ff, 0xff8000, null, null]);
});
