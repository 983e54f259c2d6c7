// Downloads of the listed trials: the shown columns, in the shown order.

import { asProblem } from "../../state/board";
import { rows } from "../../state/hparams";
import { tell } from "../../state/toasts";
import { fileOfTrials, type TrialsFormat } from "../../state/trials_files";
import { saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { words } from "./words";

const ENDINGS: Readonly<Record<TrialsFormat, string>> = {
  csv: "csv",
  json: "json",
  latex: "tex",
  arrow: "arrow",
  parquet: "parquet",
};

export function downloadItems(): readonly MenuItem[] {
  const t = words();
  const item = (format: TrialsFormat, label: string): MenuItem => ({
    label,
    icon: "table",
    onSelect: () => void save(format),
  });
  return [
    { heading: t.count(rows.value.length) },
    item("csv", t.csv),
    item("json", t.json),
    item("latex", t.latex),
    item("parquet", t.parquet),
  ];
}

async function save(format: TrialsFormat): Promise<void> {
  try {
    saveFile(`trials.${ENDINGS[format]}`, await fileOfTrials(format));
  } catch (error) {
    const { message, hint } = asProblem(error);
    tell(words().downloadFailed(`${message} ${hint}`.trim()), { kind: "error" });
  }
}
