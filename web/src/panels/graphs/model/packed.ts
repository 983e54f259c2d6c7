// Packs lists of strings into one string for messages from the worker: receiving fifty thousand strings blocks the
// page, receiving one does not.

import type { Scene } from "./scene";

export type Texts = { readonly text: string; readonly at: Uint32Array };

export function pack(texts: readonly string[]): Texts {
  const at = new Uint32Array(texts.length + 1);
  let end = 0;
  texts.forEach((one, i) => {
    end += one.length;
    at[i + 1] = end;
  });
  return { text: texts.join(""), at };
}

export function unpack({ text, at }: Texts): readonly string[] {
  return Array.from({ length: at.length - 1 }, (_, i) => text.slice(at[i], at[i + 1]));
}

const TEXTS = ["label", "note", "path", "dotPath", "lineLabel"] as const;
type TextName = (typeof TEXTS)[number];

export type PackedScene = Omit<Scene, TextName> & Readonly<Record<TextName, Texts>>;

export function packScene(scene: Scene): PackedScene {
  const { label, note, path, dotPath, lineLabel, ...rest } = scene;
  return {
    ...rest,
    label: pack(label),
    note: pack(note),
    path: pack(path),
    dotPath: pack(dotPath),
    lineLabel: pack(lineLabel),
  };
}

export function unpackScene(packed: PackedScene): Scene {
  const { label, note, path, dotPath, lineLabel, ...rest } = packed;
  return {
    ...rest,
    label: unpack(label),
    note: unpack(note),
    path: unpack(path),
    dotPath: unpack(dotPath),
    lineLabel: unpack(lineLabel),
  };
}
