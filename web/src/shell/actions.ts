// All actions of the keyboard and of the search palette, in one list.

import { untracked } from "@preact/signals";
import { LANGUAGES, languageName } from "../base/locale";
import { reconnect } from "../state/board";
import { settingsOpen, sheet, sidebarOpen, toggleSettings, toggleSidebar } from "../state/layout";
import { tickAll, tickOnly } from "../state/runs";
import type { Texts } from "../state/texts";
import { theme } from "../state/theme";
import { tell } from "../state/toasts";
import {
  changeView,
  chooseLanguageFor,
  currentLink,
  DEFAULT_VIEW,
  language,
  redo,
  texts,
  undo,
  undoable,
  view,
} from "../state/view";
import { copyText } from "../widgets/clipboard";
import type { IconName } from "../widgets/icons";
import { kindTabs } from "./kinds";
import type { Shortcut } from "./shortcuts";
import { exportView, importView } from "./view_files";

export async function copyLink(): Promise<void> {
  const words = texts.value.shell.share;
  if (await copyText(currentLink())) tell(words.copied);
  else tell(words.notCopied, { kind: "error" });
}

export function toggleTheme(): void {
  changeView({ theme: theme.value === "dark" ? "light" : "dark" });
}

export function go(page: string): void {
  changeView({ page, of: [], full: "" }, { entry: true });
}

/** The address of a page with the current filters and settings. */
export function linkTo(page: string): string {
  return untracked(() => currentLink({ page, of: [], full: "" }));
}

export function clearFilters(): void {
  changeView({ runFilter: "", tagFilter: "" });
}

/** Focuses a field and selects its text. */
function focusField(testId: string): void {
  const field = document.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
  field?.focus();
  if (field instanceof HTMLInputElement && field.type !== "range") field.select();
}

function focusSoon(testId: string): void {
  // a field that was just opened is rendered in the next frame; settings may have to be loaded first
  requestAnimationFrame(() => setTimeout(() => focusField(testId)));
}

function focusRunFilter(): void {
  if (view.value.page === "runs") {
    focusSoon("table-filter");
    return;
  }
  sidebarOpen.value = true;
  focusSoon("run-filter");
}

function focusTagFilter(): void {
  if (view.value.page === "runs" || view.value.page === "run" || view.value.page === "compare") go("timeseries");
  focusSoon("tag-filter");
}

function focusSmoothing(): void {
  if (document.querySelector('[data-testid="smoothing"]') === null) settingsOpen.value = true;
  focusSoon("smoothing");
}

function openSheet(name: NonNullable<typeof sheet.value>): () => void {
  return () => {
    sheet.value = name;
  };
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ["mod+k"], group: "everywhere", label: (help) => help.search, run: openSheet("palette"), anywhere: true },
  { keys: ["?", "mod+/"], group: "everywhere", label: (help) => help.help, run: openSheet("help") },
  { keys: ["/"], group: "everywhere", label: (help) => help.tagFilter, run: focusTagFilter },
  { keys: ["f"], group: "everywhere", label: (help) => help.runFilter, run: focusRunFilter },
  { keys: ["mod+j", "["], group: "everywhere", label: (help) => help.runList, run: toggleSidebar },
  { keys: ["]"], group: "everywhere", label: (help) => help.settings, run: toggleSettings },
  { keys: ["alt+m"], group: "everywhere", label: (help) => help.theme, run: toggleTheme },
  { keys: ["mod+z"], group: "everywhere", label: (help) => help.undo, run: undo },
  { keys: ["mod+shift+z", "mod+y"], group: "everywhere", label: (help) => help.redo, run: redo },
  { keys: ["mod+s"], group: "everywhere", label: (help) => help.save, run: openSheet("save"), anywhere: true },
  { keys: ["r"], group: "everywhere", label: (help) => help.refresh, run: reconnect },
  { keys: ["escape"], group: "everywhere", label: (help) => help.close },
  { keys: ["l"], group: "charts", label: (help) => help.logY, run: toggleLogY },
  { keys: ["s"], group: "charts", label: (help) => help.smoothing, run: focusSmoothing },
  { keys: [], group: "charts", label: (help) => help.zoom },
  { keys: [], group: "charts", label: (help) => help.zoomReset },
  { keys: [], group: "charts", label: (help) => help.pan },
  { keys: [], group: "charts", label: (help) => help.wheel },
  { keys: [], group: "charts", label: (help) => help.step },
  { keys: ["space"], group: "lists", label: (help) => help.tickRun },
  { keys: [], group: "lists", label: (help) => help.only },
  { keys: ["up", "down"], group: "trials", label: (help) => help.trialRows },
  { keys: ["enter"], group: "trials", label: (help) => help.trialOpen },
  { keys: ["space"], group: "trials", label: (help) => help.trialTick },
  { keys: ["alt+left", "alt+right"], group: "trials", label: (help) => help.trialColumns },
  { keys: ["left", "right"], group: "trials", label: (help) => help.trialWidths },
  { keys: [], group: "trials", label: (help) => help.trialSort },
  { keys: [], group: "trials", label: (help) => help.trialBrush },
  { keys: ["up", "down"], group: "graphs", label: (help) => help.graphEdges },
  { keys: ["left", "right"], group: "graphs", label: (help) => help.graphBeside },
  { keys: ["enter"], group: "graphs", label: (help) => help.graphOpen },
  { keys: ["backspace"], group: "graphs", label: (help) => help.graphAround },
  { keys: ["shift+f10"], group: "graphs", label: (help) => help.graphMenu },
  { keys: ["t"], group: "graphs", label: (help) => help.graphTrace },
  { keys: ["escape"], group: "graphs", label: (help) => help.graphLetGo },
  { keys: ["/"], group: "graphs", label: (help) => help.graphSearch },
  { keys: ["f", "0"], group: "graphs", label: (help) => help.graphFit },
  { keys: ["+", "-"], group: "graphs", label: (help) => help.graphZoom },
  { keys: [], group: "graphs", label: (help) => help.graphMove },
];

function toggleLogY(): void {
  changeView({ yScale: view.value.yScale === "log" ? "linear" : "log" });
}

export type Action = {
  readonly label: string;
  readonly icon: IconName;
  readonly shortcut?: string;
  readonly run: () => void;
};

/** Returns only actions that are possible now. */
export function actionsNow(): readonly Action[] {
  const words = texts.value.shell;
  return [...pageActions(words), ...lookActions(words), ...viewActions(words), ...runActions(words)];
}

function pageActions(words: Texts["shell"]): readonly Action[] {
  const kinds = kindTabs.value.flatMap(({ page, label, reason }) => (reason === null ? [{ page, label }] : []));
  const pages = [...kinds, { page: "runs", label: words.pages.runs }];
  return pages
    .filter(({ page }) => page !== view.value.page)
    .map(({ page, label }) => ({ label: words.palette.go(label), icon: "right", run: () => go(page) }));
}

function lookActions(words: Texts["shell"]): readonly Action[] {
  const { actions } = words;
  const set = (label: string, icon: IconName, change: Parameters<typeof changeView>[0]): Action => ({
    label,
    icon,
    run: () => changeView(change),
  });
  const now = view.value;
  const smoothings = [0, 0.6, 0.9, 0.99].filter((smoothing) => smoothing !== now.smoothing);
  return [
    { label: actions.otherTheme, icon: "moon", shortcut: "alt+m", run: toggleTheme },
    set(actions.themeLight, "sun", { theme: "light" }),
    set(actions.themeDark, "moon", { theme: "dark" }),
    set(actions.themeAuto, "auto", { theme: "auto" }),
    ...LANGUAGES.filter((other) => other !== language.value).map(
      (other): Action => ({
        label: actions.language(languageName(other)),
        icon: "globe",
        run: () => chooseLanguageFor(other),
      }),
    ),
    ...smoothings.map((smoothing) => set(actions.smoothing(smoothing), "settings", { smoothing })),
    now.yScale === "log"
      ? set(actions.yLinear, "settings", { yScale: "linear" })
      : set(actions.yLog, "settings", { yScale: "log" }),
    set(actions.ySymlog, "settings", { yScale: "symlog" }),
    set(actions.xStep, "settings", { x: "step" }),
    set(actions.xRelative, "settings", { x: "relative" }),
    set(actions.xWall, "settings", { x: "wall" }),
    now.ignoreOutliers
      ? set(actions.outliersOff, "settings", { ignoreOutliers: false })
      : set(actions.outliersOn, "settings", { ignoreOutliers: true }),
    { label: words.bar.runList, icon: "sidebar", shortcut: "mod+j", run: toggleSidebar },
    { label: words.bar.settings, icon: "settings", shortcut: "]", run: toggleSettings },
  ];
}

function viewActions(words: Texts["shell"]): readonly Action[] {
  const { share, actions, bar } = words;
  return [
    { label: share.copy, icon: "link", run: () => void copyLink() },
    { label: share.save, icon: "save", shortcut: "mod+s", run: openSheet("save") },
    { label: share.views, icon: "star", run: openSheet("views") },
    { label: share.toFile, icon: "download", run: exportView },
    { label: share.fromFile, icon: "upload", run: () => void importView() },
    ...(undoable.value.undo ? [{ label: bar.undo, icon: "undo" as const, shortcut: "mod+z", run: undo }] : []),
    ...(undoable.value.redo ? [{ label: bar.redo, icon: "redo" as const, shortcut: "mod+shift+z", run: redo }] : []),
    {
      label: actions.reset,
      icon: "reset",
      run: () => changeView({ ...DEFAULT_VIEW, page: view.value.page, of: view.value.of }),
    },
    { label: bar.help, icon: "help", shortcut: "?", run: openSheet("help") },
  ];
}

function runActions(words: Texts["shell"]): readonly Action[] {
  const { actions } = words;
  return [
    { label: actions.showAllRuns, icon: "eye", run: tickAll },
    { label: actions.hideAllRuns, icon: "eye-off", run: () => tickOnly([]) },
    { label: actions.clearFilters, icon: "filter", run: clearFilters },
    { label: words.live.refresh, icon: "refresh", shortcut: "r", run: reconnect },
    { label: actions.health, icon: "warning", run: openSheet("health") },
  ];
}
