// Minimal programs that log something, shown on empty boards and empty pages.

export type Library = "lightboard" | "pytorch" | "tensorflow";

export const LIBRARIES = [
  { key: "lightboard", label: "Lightboard" },
  { key: "pytorch", label: "PyTorch" },
  { key: "tensorflow", label: "TensorFlow" },
] as const satisfies readonly { readonly key: Library; readonly label: string }[];

/** A Python string literal. */
function python(text: string): string {
  return JSON.stringify(text);
}

export function snippetFor(library: Library, folder: string): string {
  const run = python(`${folder.replace(/\/+$/, "")}/first`);
  if (library === "tensorflow") {
    return [
      "import tensorflow as tf",
      "",
      `with tf.summary.create_file_writer(${run}).as_default():`,
      "    for step in range(100):",
      '        tf.summary.scalar("loss", 1 / (step + 1), step)',
    ].join("\n");
  }
  const module = library === "lightboard" ? "lightboard" : "torch.utils.tensorboard";
  return [
    `from ${module} import SummaryWriter`,
    "",
    `with SummaryWriter(${run}) as writer:`,
    "    for step in range(100):",
    '        writer.add_scalar("loss", 1 / (step + 1), step)',
  ].join("\n");
}

/** A program with one call of the writer. */
export function snippetOfCall(call: string): string {
  return [
    "from lightboard import SummaryWriter",
    "",
    'with SummaryWriter("runs/first") as writer:',
    `    writer.${call}`,
  ].join("\n");
}
