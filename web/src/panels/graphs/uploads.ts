// Graphs from local files, chosen in a dialog or dropped on the page.

import type { Signal } from "@preact/signals";
import { reasonOf } from "../../state/explained";
import * as graphsWords from "../../state/texts/graphs";
import { tell } from "../../state/toasts";
import { spoken } from "../../state/view";
import { openFile } from "./session";

const ENDINGS = /\.(pb|pbtxt|onnx|prototxt|txt)$/i;

export async function take(file: File): Promise<void> {
  const words = spoken(graphsWords);
  if (!ENDINGS.test(file.name)) {
    tell(words.wrongFile(file.name), { kind: "error" });
    return;
  }
  try {
    await openFile(file);
  } catch (error) {
    tell(words.uploadFailed(file.name, reasonOf(error)), { kind: "error" });
  }
}

export function pickFile(): void {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = ".pb,.pbtxt,.onnx";
  field.addEventListener("change", () => {
    const file = field.files?.[0];
    if (file !== undefined) void take(file);
  });
  field.click();
}

/** Returns properties that make an element a drop target for files. */
export function dropOn(dropping: Signal<boolean>) {
  const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  return {
    onDragOver: (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      dropping.value = true;
    },
    onDragLeave: (event: DragEvent) => {
      const inside = event.currentTarget instanceof Node && event.relatedTarget instanceof Node;
      if (!inside || !(event.currentTarget as Node).contains(event.relatedTarget as Node)) dropping.value = false;
    },
    onDrop: (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      dropping.value = false;
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) void take(file);
    },
  };
}
