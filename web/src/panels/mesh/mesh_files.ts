// Exports a mesh as a file: OBJ (text) or PLY (binary).

import type { MeshData } from "../../state/mesh";

const LINES = 20_000;

/** Writes vertices, followed by their colors as many programs expect, and faces, counted from 1. */
export function objFile({ vertex, face, color }: Pick<MeshData, "vertex" | "face" | "color">): Blob {
  const pieces: string[] = ["# Lightboard\n"];
  let lines: string[] = [];
  const push = (line: string): void => {
    lines.push(line);
    if (lines.length < LINES) return;
    pieces.push(lines.join(""));
    lines = [];
  };
  const share = (value: number | undefined): string => ((value ?? 0) / 255).toFixed(4);
  for (let i = 0; i < vertex.length; i += 3) {
    const shade = color === null ? "" : ` ${share(color[i])} ${share(color[i + 1])} ${share(color[i + 2])}`;
    push(`v ${vertex[i]} ${vertex[i + 1]} ${vertex[i + 2]}${shade}\n`);
  }
  for (let i = 0; face !== null && i < face.length; i += 3) {
    push(`f ${(face[i] ?? 0) + 1} ${(face[i + 1] ?? 0) + 1} ${(face[i + 2] ?? 0) + 1}\n`);
  }
  return new Blob([...pieces, ...lines], { type: "model/obj" });
}

export function plyFile({ vertex, face, color }: Pick<MeshData, "vertex" | "face" | "color">): Blob {
  const [vertices, faces] = [vertex.length / 3, face === null ? 0 : face.length / 3];
  const head = [
    "ply",
    "format binary_little_endian 1.0",
    "comment Lightboard",
    `element vertex ${vertices}`,
    ...["x", "y", "z"].map((name) => `property float ${name}`),
    ...(color === null ? [] : ["red", "green", "blue"].map((name) => `property uchar ${name}`)),
    ...(face === null ? [] : [`element face ${faces}`, "property list uchar int vertex_indices"]),
    "end_header\n",
  ].join("\n");
  const size = color === null ? 12 : 15;
  const body = new DataView(new ArrayBuffer(vertices * size + faces * 13));
  for (let i = 0, at = 0; i < vertices; i++, at += size) {
    for (let k = 0; k < 3; k++) {
      body.setFloat32(at + 4 * k, vertex[3 * i + k] ?? 0, true);
      if (color !== null) body.setUint8(at + 12 + k, color[3 * i + k] ?? 0);
    }
  }
  for (let i = 0, at = vertices * size; face !== null && i < faces; i++, at += 13) {
    body.setUint8(at, 3);
    for (let k = 0; k < 3; k++) body.setInt32(at + 1 + 4 * k, face[3 * i + k] ?? 0, true);
  }
  return new Blob([head, body.buffer as ArrayBuffer], { type: "model/ply" });
}
