// The layout of the hub's page: the bar with pages, language, theme and account; the current page; help and messages.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bindKeys } from "../base/keys";
import { LANGUAGES, languageName } from "../base/locale";
import { dismiss, tell, toasts } from "../state/toasts";
import { ErrorBoundary } from "../widgets/error_boundary";
import { lazy } from "../widgets/lazy";
import { Menu, type MenuItem } from "../widgets/menu";
import { Toasts } from "../widgets/toasts";
import { reasonOf } from "./explained";
import { HUB_KEYS } from "./keys";
import { CurrentPage } from "./pages";
import { Failure, Loading } from "./parts/notice";
import {
  chooseLanguageFor,
  chooseTheme,
  language,
  spoken,
  startClock,
  THEMES,
  theme,
  themeChoice,
} from "./preferences";
import { address, go, isPublic, link } from "./router";
import { isAdmin, loadSession, me, session, signOut } from "./session";
import "./shell.css";
import * as area from "./texts/shell";

const HelpSheet = lazy(() => import("./help").then((module) => module.HelpSheet));

/** True while the sheet of keys is open. */
export const helpOpen = signal(false);

export function Shell(): JSX.Element {
  useEffect(startClock, []);
  useEffect(() => bindKeys([...HUB_KEYS, { keys: ["?"], run: openHelp }]), []);
  const words = spoken(area);
  return (
    <div class="hub" data-language={language.value}>
      <button type="button" class="hub__skip" onClick={skip}>
        {words.skip}
      </button>
      <TopBar />
      <div class="hub__content" id="content" tabIndex={-1}>
        <ErrorBoundary fallback={(error, retry) => <Failure error={error} onRetry={retry} />}>
          <Content />
        </ErrorBoundary>
      </div>
      <Toasts label={words.messages} toasts={toasts.value} onDismiss={dismiss} />
      {helpOpen.value && <HelpSheet />}
    </div>
  );
}

function openHelp(): void {
  helpOpen.value = true;
}

/** Not a link to "#content", because the hash of the URL is the page. */
function skip(): void {
  document.getElementById("content")?.focus();
}

function Content(): JSX.Element {
  const now = session.value;
  if (isPublic(address.value)) return <CurrentPage />;
  if (now.state === "failed") return <Failure error={now.error} onRetry={() => void loadSession()} />;
  return now.state === "in" ? <CurrentPage /> : <Loading />;
}

function TopBar(): JSX.Element {
  const name = me.value?.hub.name || "Lightboard";
  return (
    <header class="hub-bar">
      <a class="hub-bar__name" href={link(["boards"])} title={name}>
        <img src="./icon.svg" alt="" width="20" height="20" />
        <span>{name}</span>
      </a>
      {me.value !== null && <Navigation />}
      <div class="hub-bar__space" />
      <div class="hub-bar__choices">
        <Menu label={spoken(area).language} icon="globe" testId="language" items={languageItems()} />
        <Menu
          label={spoken(area).theme}
          icon={theme.value === "dark" ? "moon" : "sun"}
          testId="theme"
          items={themeItems()}
        />
      </div>
      <AccountMenu />
    </header>
  );
}

function Navigation(): JSX.Element {
  const words = spoken(area);
  const [current = ""] = address.value.path;
  const pages = [
    { path: "boards", label: words.boards },
    { path: "jobs", label: words.jobs },
    { path: "uploads", label: words.uploads },
    { path: "workspaces", label: words.workspaces },
    ...(isAdmin.value ? [{ path: "admin", label: words.admin }] : []),
  ];
  return (
    <nav class="hub-bar__pages" aria-label={words.nav}>
      {pages.map(({ path, label }) => (
        <a key={path} href={link([path])} aria-current={path === current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** In narrow windows it also has language and theme. */
function AccountMenu(): JSX.Element {
  const words = spoken(area);
  const user = me.value?.user;
  const choices: readonly MenuItem[] = [
    { heading: words.language },
    ...languageItems(),
    { heading: words.theme },
    ...themeItems(),
    "separator",
    { label: words.help, icon: "help", shortcut: "?", onSelect: openHelp },
  ];
  if (user === undefined)
    return (
      <div class="hub-bar__narrow">
        <Menu label={words.menu} testId="menu" items={choices} />
      </div>
    );
  return (
    <div class="hub-bar__account">
      <Menu
        label={user.display_name || user.name}
        icon="user"
        showLabel
        testId="account"
        items={[
          {
            label: words.accountPage,
            icon: "settings",
            href: () => link(["account"]),
            onSelect: () => go(["account"]),
          },
          "separator",
          ...choices,
          "separator",
          { label: words.signOut, icon: "exit", onSelect: () => void leave() },
        ]}
      />
    </div>
  );
}

async function leave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    tell(reasonOf(error), { kind: "error" });
  }
}

function languageItems(): readonly MenuItem[] {
  return LANGUAGES.map((one) => ({
    label: languageName(one),
    checked: language.value === one,
    onSelect: () => chooseLanguageFor(one),
  }));
}

function themeItems(): readonly MenuItem[] {
  const words = spoken(area).themes;
  return THEMES.map((one) => ({
    label: words[one],
    checked: themeChoice.value === one,
    onSelect: () => chooseTheme(one),
  }));
}
