// Menu items for a column, used by column headers and axes.

import {
  bestBy,
  isInverted,
  scaleOf,
  setColumns,
  setGoal,
  setScale,
  setSort,
  shiftColumn,
  shownColumns,
  showOnBoard,
  sortKeys,
  toggleInverted,
} from "../../state/hparams";
import { HPARAMS_GOALS, HPARAMS_SCALES } from "../../state/members/hparams";
import { dullness, type TrialColumn } from "../../state/trials_columns";
import { canBeLog } from "../../state/trials_scales";
import { changeView, view } from "../../state/view";
import type { MenuItem } from "../../widgets/menu";
import { words } from "./words";

const BEST = 10;

export function columnItems(column: TrialColumn, onFilter: () => void): readonly MenuItem[] {
  const t = words();
  const more = sortKeys.value.length > 0 && sortKeys.value.every((key) => key.column !== column.id);
  return [
    { label: t.sortUp, icon: "up", onSelect: () => setSort(column.id, false, false) },
    { label: t.sortDown, icon: "down", onSelect: () => setSort(column.id, true, false) },
    ...(more ? [{ label: t.sortMore, icon: "plus", onSelect: () => setSort(column.id, false, true) } as const] : []),
    { label: t.filter(column.title), icon: "filter", onSelect: onFilter },
    "separator",
    ...colorItems(column),
    ...(column.role !== "metric"
      ? []
      : [
          {
            label: t.showBest(BEST),
            icon: "star",
            title: t.showOnlyHint,
            onSelect: () => showOnBoard(bestBy(column, BEST), true),
          } as const,
          ...goalItems(column),
        ]),
    "separator",
    ...moveItems(column),
  ];
}

export function axisItems(
  column: TrialColumn,
  onBrush: () => void,
  onUnbrush: (() => void) | null,
): readonly MenuItem[] {
  const t = words();
  const scale = scaleOf(column);
  const scales: readonly MenuItem[] =
    column.kind !== "number"
      ? []
      : [
          { heading: t.scale },
          ...HPARAMS_SCALES.map((one) => ({
            label: t.scales[one],
            checked: scale === one,
            disabled: one === "log" && !canBeLog(column),
            onSelect: () => setScale(column.id, one),
          })),
        ];
  return [
    ...scales,
    { label: t.invert, checked: isInverted(column.id), onSelect: () => toggleInverted(column.id) },
    "separator",
    { label: t.brush, icon: "filter", onSelect: onBrush },
    ...(onUnbrush === null ? [] : [{ label: t.unbrush, icon: "reset", onSelect: onUnbrush } as const]),
    ...colorItems(column),
    "separator",
    ...moveItems(column),
  ];
}

function colorItems(column: TrialColumn): readonly MenuItem[] {
  const t = words();
  const dull = dullness(column);
  const items: MenuItem[] = [
    {
      label: dull === null ? t.colorBy : `${t.colorBy} (${t.dull[dull]})`,
      icon: "palette",
      disabled: dull === "empty",
      onSelect: () => changeView({ hparamsColor: column.id }),
    },
  ];
  if (column.role === "hparam") {
    items.push({
      label: t.colorRuns,
      icon: "palette",
      onSelect: () => changeView({ colorBy: `hparam:${column.name}`, hparamsColor: "run" }),
    });
  }
  return items;
}

/** Items that set whether low or high values are good; the default is guessed from the name. */
function goalItems(column: TrialColumn): readonly MenuItem[] {
  const t = words();
  const own = view.value.hparamsGoals[column.id] ?? null;
  return [
    { heading: t.goal },
    ...([null, ...HPARAMS_GOALS] as const).map((goal) => ({
      label: t.goals[goal ?? "auto"],
      checked: own === goal,
      onSelect: () => setGoal(column.id, goal),
    })),
  ];
}

function moveItems(column: TrialColumn): readonly MenuItem[] {
  const t = words();
  return [
    { label: t.moveLeft, icon: "left", shortcut: "Alt+←", onSelect: () => shiftColumn(column.id, -1) },
    { label: t.moveRight, icon: "right", shortcut: "Alt+→", onSelect: () => shiftColumn(column.id, 1) },
    {
      label: t.hideColumn,
      icon: "eye-off",
      onSelect: () => setColumns(shownColumns.value.map(({ id }) => id).filter((id) => id !== column.id)),
    },
  ];
}
