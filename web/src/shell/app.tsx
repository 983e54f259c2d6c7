// The layout of the page: top bar, run list, current page, settings drawer, and dialogs.

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bindKeys } from "../base/keys";
import { languageTag } from "../base/locale";
import { board } from "../state/board";
import { settingsOpen, sheet } from "../state/layout";
import { dismiss, toasts } from "../state/toasts";
import { language, texts, view } from "../state/view";
import { Drawer } from "../widgets/drawer";
import { ErrorBoundary } from "../widgets/error_boundary";
import { lazy } from "../widgets/lazy";
import { Toasts } from "../widgets/toasts";
import { words as widgetWords } from "../widgets/words";
import { SHORTCUTS } from "./actions";
import { tellConnection } from "./connection_news";
import { BrokenPage, CurrentPage } from "./pages";
import { Palette } from "./palette";
import "./shell.css";
import { Side } from "./side";
import { SourceNotice } from "./source_notice";
import { TopBar } from "./top_bar";

const SettingsPane = lazy(() => import("../panels/timeseries/settings_pane").then((module) => module.SettingsPane));

// the palette must be there for the first letter that is typed
const SHEETS = {
  palette: Palette,
  help: lazy(() => import("./help").then((module) => module.Help)),
  health: lazy(() => import("./health").then((module) => module.Health)),
  save: lazy(() => import("./saved_views").then((module) => module.SaveView)),
  views: lazy(() => import("./saved_views").then((module) => module.SavedViews)),
  file: lazy(() => import("./one_file").then((module) => module.HtmlFile)),
} as const;

/** Keeps language, title and widget words of the document up to date. */
function bindDocument(): () => void {
  const ends = [
    effect(() => {
      document.documentElement.lang = languageTag(language.value);
      widgetWords.value = texts.value.shell.widgets;
    }),
    effect(() => {
      document.title = board.value?.name ?? "Lightboard";
    }),
    tellConnection(),
    bindKeys(SHORTCUTS),
  ];
  return () => {
    for (const end of ends) end();
  };
}

export function App(): JSX.Element {
  useEffect(bindDocument, []);
  const Sheet = sheet.value === null ? null : SHEETS[sheet.value];
  return (
    <ErrorBoundary fallback={(error, retry) => <BrokenPage error={error} onRetry={retry} />}>
      <div class="shell" data-language={language.value}>
        <button type="button" class="shell__skip" onClick={skip}>
          {texts.value.shell.skip}
        </button>
        <TopBar />
        <SourceNotice />
        <div class="shell__body">
          <Side />
          <div class="shell__content" id="content" tabIndex={-1}>
            <CurrentPage />
          </div>
          {settingsOpen.value && <Settings />}
        </div>
        <Toasts label={texts.value.shell.toasts} toasts={toasts.value} onDismiss={dismiss} />
        {Sheet !== null && <Sheet key={`${sheet.value} ${view.value.page}`} />}
      </div>
    </ErrorBoundary>
  );
}

/** Not a link to "#content", because the hash of the URL is the view. */
function skip(): void {
  const content = document.getElementById("content");
  (content?.querySelector<HTMLElement>("main [tabindex], main a, main button, main input") ?? content)?.focus();
}

function Settings(): JSX.Element {
  const close = (): void => {
    settingsOpen.value = false;
  };
  return (
    <Drawer title={texts.value.shell.bar.settings} testId="settings" onClose={close}>
      <ErrorBoundary fallback={(error, retry) => <BrokenPage error={error} onRetry={retry} />}>
        <SettingsPane />
      </ErrorBoundary>
    </Drawer>
  );
}
