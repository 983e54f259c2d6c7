// The account page: profile and password, API tokens, sessions.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { LANGUAGES, languageName } from "../../base/locale";
import { tell } from "../../state/toasts";
import { Choice } from "../../widgets/choice";
import { HubError } from "../api/client";
import { changeMe } from "../api/people";
import type { Me } from "../api/types";
import { chooseLanguageFor, chooseTheme, language, spoken, THEMES, themeChoice } from "../preferences";
import { loadSession, me } from "../session";
import * as area from "../texts/account";
import * as shared from "../texts/people";
import { AccessKeys } from "./access_keys";
import { Form, HiddenLine, isRefused, Line, NewPassword, Refusal, Submit } from "./form";
import { Badge, currentTab, Frame, Section, Tabbed } from "./frame";
import { strengthOf } from "./password_strength";
import { Sessions } from "./sessions";
import { useTask } from "./task";
import { When } from "./times";
import { Tokens } from "./tokens";

const TABS = ["profile", "tokens", "sessions"] as const;

export function Page(): JSX.Element | null {
  const words = spoken(area);
  const tab = currentTab(TABS);
  const now = me.value;
  if (now === null) return null;
  return (
    <Frame
      page="account"
      title={now.user.display_name || now.user.name}
      beside={now.user.admin && <Badge text={words.profile.admin} tone="accent" />}
    >
      <Tabbed label={words.title} selected={tab} tabs={TABS.map((key) => ({ key, label: words.tabs[key] }))}>
        {tab === "profile" && <ProfileTab me={now} />}
        {tab === "tokens" && (
          <>
            <Tokens me={now} />
            <AccessKeys />
          </>
        )}
        {tab === "sessions" && <Sessions />}
      </Tabbed>
    </Frame>
  );
}

function ProfileTab({ me: now }: { readonly me: Me }): JSX.Element {
  return (
    <div class="people-columns">
      <div class="people-stack">
        <Profile me={now} />
        <Appearance />
      </div>
      <Password name={now.user.name} />
    </div>
  );
}

function Profile({ me: { user, quota } }: { readonly me: Me }): JSX.Element {
  const words = spoken(area).profile;
  const name = useSignal(user.display_name);
  const task = useTask();
  const save = (): void =>
    void task.run(async () => {
      await changeMe({ display_name: name.value.trim() });
      await loadSession();
      tell(words.saved);
    });
  return (
    <Section title={words.heading} testId="profile">
      <dl class="people-facts">
        <dt>{words.name}</dt>
        <dd>
          <strong>{user.name}</strong>
          <div class="field__hint">{words.nameFixed}</div>
        </dd>
        <dt>{words.since}</dt>
        <dd>
          <When time={user.created} />
        </dd>
        <dt>{spoken(shared).quota}</dt>
        <dd>{words.quota(quota.used, quota.limit === null ? "∞" : String(quota.limit))}</dd>
      </dl>
      <Form label={words.heading} onSubmit={save}>
        <Line
          label={words.displayName}
          hint={words.displayHint}
          value={name.value}
          autocomplete="name"
          onInput={(text) => {
            name.value = text;
          }}
        />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Submit
            label={spoken(shared).save}
            busy={task.busy.value}
            disabled={name.value.trim() === user.display_name}
            testId="save-profile"
          />
        </div>
      </Form>
    </Section>
  );
}

function Appearance(): JSX.Element {
  const words = spoken(area).appearance;
  return (
    <Section title={words.heading} text={words.stored}>
      <div class="people-form">
        <div class="field">
          <span class="field__label">{words.language}</span>
          <Choice
            label={words.language}
            testId="language"
            value={language.value}
            options={LANGUAGES.map((one) => ({ value: one, label: languageName(one) }))}
            onChoose={chooseLanguageFor}
          />
        </div>
        <div class="field">
          <span class="field__label">{words.theme}</span>
          <Choice
            label={words.theme}
            testId="theme"
            value={themeChoice.value}
            options={THEMES.map((one) => ({ value: one, label: words.themes[one] }))}
            onChoose={chooseTheme}
          />
        </div>
      </div>
    </Section>
  );
}

/** The codes that may stand for a wrong current password. */
const WRONG: ReadonlySet<string> = new Set(["WrongPassword", "WrongCredentials", "InvalidCredentials"]);

function Password({ name }: { readonly name: string }): JSX.Element {
  const words = spoken(area).password;
  const [old, fresh, tried, wrong] = [useSignal(""), useSignal(""), useSignal(false), useSignal(false)];
  const task = useTask();
  const save = (): void => {
    tried.value = true;
    wrong.value = false;
    if (old.value === "" || isRefused(strengthOf(fresh.value))) return;
    void task.run(
      async () => {
        await changeMe({ old_password: old.value, password: fresh.value });
        [old.value, fresh.value, tried.value] = ["", "", false];
        // sessions were renewed, with them the token for writes
        await loadSession();
        tell(words.changed);
      },
      (error) => {
        wrong.value = error instanceof HubError && WRONG.has(error.code);
        return wrong.value;
      },
    );
  };
  return (
    <Section title={words.heading} testId="password">
      <Form label={words.heading} onSubmit={save}>
        <input type="text" name="username" autocomplete="username" value={name} readOnly hidden />
        <HiddenLine
          label={words.old}
          name="old"
          autocomplete="current-password"
          value={old.value}
          fault={wrong.value ? words.wrong : tried.value && old.value === "" ? spoken(shared).required : undefined}
          onInput={(text) => {
            old.value = text;
            wrong.value = false;
          }}
        />
        <NewPassword
          label={words.fresh}
          name="new"
          value={fresh.value}
          avoid={[name]}
          tried={tried.value}
          onInput={(text) => {
            fresh.value = text;
          }}
        />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Submit label={words.change} busy={task.busy.value} testId="change-password" />
        </div>
      </Form>
    </Section>
  );
}
