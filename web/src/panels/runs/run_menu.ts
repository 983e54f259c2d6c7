// The menu of one run.

import { annotateAll, annotations, remarksOf, shownName } from "../../state/annotations";
import { isTicked, tick, tickOnly, toggleBaseline, togglePin } from "../../state/runs";
import { tell } from "../../state/toasts";
import { changeView, texts, view } from "../../state/view";
import type { MenuItem } from "../../widgets/menu";
import type { Anchor } from "../../widgets/popover";
import { openDialog } from "./open_dialogs";

export const MOST_COMPARED = 6;

export function menuOfRun(run: string, anchor: Anchor): readonly MenuItem[] {
  const t = texts.value.runs;
  const writable = annotations.value.writable;
  const kept = { disabled: !writable, title: writable ? undefined : t.notWritable };
  const { pinnedRuns, baseline } = view.value;
  const archived = remarksOf(run).archived === true;
  return [
    { label: t.onlyThis, icon: "eye", shortcut: t.altClick, onSelect: () => tickOnly([run]) },
    {
      label: isTicked(run) ? t.hideRun : t.showRun,
      icon: isTicked(run) ? "eye-off" : "eye",
      shortcut: t.spaceKey,
      onSelect: () => tick([run], !isTicked(run)),
    },
    { label: pinnedRuns.includes(run) ? t.unpin : t.pin, icon: "pin", onSelect: () => togglePin(run) },
    { label: baseline === run ? t.noBaseline : t.baseline, icon: "star", onSelect: () => toggleBaseline(run) },
    "separator",
    { label: t.openRun, icon: "right", onSelect: () => openRun(run) },
    { label: t.compareWith, icon: "compare", onSelect: () => addToCompare(run) },
    "separator",
    { label: t.color, icon: "palette", onSelect: () => open({ kind: "color", run, anchor }) },
    { label: t.rename, icon: "edit", ...kept, onSelect: () => open({ kind: "rename", run }) },
    { label: t.note, icon: "note", ...kept, onSelect: () => open({ kind: "note", run }) },
    { label: t.labels, icon: "tag", ...kept, onSelect: () => open({ kind: "labels", runs: [run] }) },
    {
      label: archived ? t.unarchive : t.archive,
      icon: "archive",
      ...kept,
      onSelect: () => void archive([run], !archived),
    },
    "separator",
    { label: t.copyName, icon: "copy", onSelect: () => void copyText(run) },
  ];
}

function open(dialog: NonNullable<typeof openDialog.value>): void {
  openDialog.value = dialog;
}

export function openRun(run: string): void {
  changeView({ page: "run", of: [run] }, { entry: true });
}

/** Opens the comparison with this run and the runs already compared, or the baseline. */
function addToCompare(run: string): void {
  const { of, page, baseline } = view.value;
  const present = page === "compare" ? of : [baseline].filter((one) => one !== "");
  openCompare([...present.filter((one) => one !== run), run]);
}

export function openCompare(runs: readonly string[]): void {
  changeView({ page: "compare", of: runs.slice(0, MOST_COMPARED) }, { entry: true });
}

export async function archive(runs: readonly string[], away: boolean): Promise<void> {
  const t = texts.value.runs;
  const what = runs.length === 1 && runs[0] !== undefined ? shownName(runs[0]) : t.count(runs.length);
  await annotateAll(runs, { archived: away }, away ? t.archivedNow(what) : t.unarchivedNow(what));
}

export async function copyText(text: string): Promise<void> {
  const t = texts.value.runs;
  try {
    await navigator.clipboard.writeText(text);
    tell(t.copied);
  } catch {
    // no clipboard without HTTPS: show the text, so that the user can copy it
    tell(t.copyByHand(text));
  }
}
