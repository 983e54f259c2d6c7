// The top bar: board name, tabs, search, connection state, and actions on the view.

import type { JSX } from "preact";
import { keyLabel } from "../base/keys";
import { LANGUAGES, languageName } from "../base/locale";
import { board, faults, snapshot } from "../state/board";
import { narrow, settingsOpen, sheet, sidebarOpen, toggleSettings, toggleSidebar } from "../state/layout";
import { changeView, chooseLanguageFor, language, redo, texts, undo, undoable, view } from "../state/view";
import { Button } from "../widgets/button";
import { Icon } from "../widgets/icons";
import { Menu, type MenuItem } from "../widgets/menu";
import { copyLink } from "./actions";
import { KindTabs } from "./kind_tabs";
import { Live } from "./live";
import { LoadingBar } from "./loading_bar";
import { listHidden } from "./side";
import "./top_bar.css";
import { exportView, importView } from "./view_files";

export function TopBar(): JSX.Element {
  const words = texts.value.shell;
  const runList = sidebarOpen.value ? words.bar.hideRuns : words.bar.showRuns;
  return (
    <header class="top-bar">
      <Button
        icon="sidebar"
        kind="quiet"
        title={`${runList} (${keyLabel("mod+j")})`}
        pressed={sidebarOpen.value && !listHidden.value}
        disabled={listHidden.value}
        testId="toggle-runs"
        onClick={toggleSidebar}
      />
      <BoardName />
      <KindTabs />
      <UndoButtons />
      <Faults />
      <SearchButton />
      <Live />
      <div class="top-bar__group">
        <span class="top-bar__share">
          <Menu label={words.bar.share} icon="share" testId="share" items={shareItems()} />
        </span>
        <Button
          icon="settings"
          kind="quiet"
          title={`${words.bar.settings} (])`}
          pressed={settingsOpen.value}
          testId="toggle-settings"
          onClick={toggleSettings}
        />
        <BarMenu />
      </div>
      <LoadingBar />
    </header>
  );
}

/** Only what can be undone or redone now. */
function UndoButtons(): JSX.Element {
  const words = texts.value.shell;
  const possible = undoable.value;
  return (
    <div class="top-bar__group top-bar__group--undo">
      {possible.undo && (
        <Button icon="undo" kind="quiet" title={`${words.bar.undo} (${keyLabel("mod+z")})`} onClick={undo} />
      )}
      {possible.redo && (
        <Button icon="redo" kind="quiet" title={`${words.bar.redo} (${keyLabel("mod+shift+z")})`} onClick={redo} />
      )}
    </div>
  );
}

/** Choices that are made once: theme, language; and help. In narrow windows it has the share menu, too. */
function BarMenu(): JSX.Element {
  const words = texts.value.shell;
  return (
    <Menu
      label={words.bar.menu}
      testId="bar-menu"
      items={[
        ...(narrow.value ? [...shareItems(), "separator" as const] : []),
        { heading: words.bar.theme },
        ...(["light", "dark", "auto"] as const).map((theme) => ({
          label: words.themes[theme],
          checked: view.value.theme === theme,
          onSelect: () => changeView({ theme }),
        })),
        { heading: words.bar.language },
        ...LANGUAGES.map((one) => ({
          label: languageName(one),
          checked: language.value === one,
          onSelect: () => chooseLanguageFor(one),
        })),
        "separator",
        { label: words.bar.help, icon: "help", shortcut: "?", onSelect: () => openSheet("help") },
      ]}
    />
  );
}

function openSheet(name: NonNullable<typeof sheet.value>): void {
  sheet.value = name;
}

function BoardName(): JSX.Element {
  const words = texts.value.shell;
  const told = board.value;
  return (
    <h1 class="top-bar__name" title={told === null ? undefined : words.bar.logdir(told.logdir)}>
      {told?.name ?? "Lightboard"}
    </h1>
  );
}

function SearchButton(): JSX.Element {
  const words = texts.value.shell.bar;
  return (
    <button type="button" class="top-bar__search" title={words.searchTitle} onClick={() => openSheet("palette")}>
      <Icon name="search" />
      <span class="top-bar__search-word">{words.search}</span>
      <kbd>{keyLabel("mod+k")}</kbd>
    </button>
  );
}

/** Shown only if there are damaged files or unreadable directories. */
function Faults(): JSX.Element | null {
  const words = texts.value.shell.health;
  const places = board.value?.places.filter(({ problem }) => problem !== null && problem !== "empty").length ?? 0;
  const count = faults.value + places;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="top-bar__faults"
      data-testid="faults"
      title={words.link(count)}
      onClick={() => openSheet("health")}
    >
      <Icon name="warning" />
      <span class="top-bar__faults-word">{words.link(count)}</span>
    </button>
  );
}

function shareItems(): readonly MenuItem[] {
  const words = texts.value.shell.share;
  return [
    { label: words.copy, icon: "link", onSelect: () => void copyLink() },
    "separator",
    { label: words.save, icon: "save", shortcut: keyLabel("mod+s"), onSelect: () => openSheet("save") },
    { label: words.views, icon: "star", onSelect: () => openSheet("views") },
    "separator",
    ...(snapshot === null ? [{ label: words.html, icon: "download" as const, onSelect: () => openSheet("file") }] : []),
    { label: words.toFile, icon: "save", onSelect: exportView },
    { label: words.fromFile, icon: "upload", onSelect: () => void importView() },
  ];
}
