// A unified diff, as `git diff` writes it, in files and lines.

export type DiffLine = { readonly kind: "added" | "removed" | "same" | "place"; readonly text: string };

export type DiffFile = {
  readonly name: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
};

/** Text that is not a diff becomes one file without a name. */
export function parseDiff(text: string): readonly DiffFile[] {
  const files: { name: string; lines: DiffLine[] }[] = [];
  let inPart = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("diff --git ")) {
      files.push({ name: nameOf(line), lines: [] });
      inPart = false;
      continue;
    }
    if (files.length === 0) files.push({ name: "", lines: [] });
    const file = files[files.length - 1];
    if (file === undefined) continue;
    if (line.startsWith("@@")) inPart = true;
    if (!inPart && isHead(line)) {
      if (line.startsWith("+++ b/")) file.name = line.slice("+++ b/".length).replace(/\t.*$/, "");
      continue;
    }
    file.lines.push({ kind: kindOf(line, inPart), text: line });
  }
  return files
    .filter(({ name, lines }) => name !== "" || lines.some(({ text }) => text !== ""))
    .map(({ name, lines }) => ({
      name,
      lines,
      added: lines.filter(({ kind }) => kind === "added").length,
      removed: lines.filter(({ kind }) => kind === "removed").length,
    }));
}

/** Of "diff --git a/x b/x" the second name. */
function nameOf(line: string): string {
  return / b\/(.*)$/.exec(line)?.[1] ?? line.slice("diff --git ".length);
}

function isHead(line: string): boolean {
  return /^(index |--- |\+\+\+ |old mode |new mode |similarity |dissimilarity )/.test(line);
}

function kindOf(line: string, inPart: boolean): DiffLine["kind"] {
  if (!inPart || line.startsWith("@@") || line.startsWith("\\")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
