// One-time links: the first admin chooses a name and a password, others a new password. A link that was used or has
// expired says what to do.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { HubError } from "../api/client";
import { checkLink, type Link, takeLink } from "../api/people";
import { dateText, spoken } from "../preferences";
import { address, go, link as linkTo } from "../router";
import { loadSession } from "../session";
import * as shared from "../texts/people";
import * as area from "../texts/sign_in";
import { Form, isRefused, Line, NewPassword, Refusal, Submit } from "./form";
import { Loaded, useLoaded } from "./loaded";
import { strengthOf } from "./password_strength";
import { Gate, retrySecs, useWait } from "./sign_in";
import { useTask } from "./task";
import { isUserName } from "./user_name";

export function Page(): JSX.Element {
  const value = address.value.path[1] ?? "";
  const load = useLoaded(value, (signal) => checkLink(value, signal));
  const now = load.result.value;
  if (now.state === "ready") return <Choose value={value} link={now.value} />;
  if (now.state === "failed" && isDead(now.error)) return <Dead />;
  return (
    <Gate title={spoken(area).link.checking}>
      <Loaded load={load}>{() => null}</Loaded>
    </Gate>
  );
}

function isDead(error: unknown): boolean {
  return error instanceof HubError && [400, 401, 404, 410, 422].includes(error.status);
}

function Dead(): JSX.Element {
  const words = spoken(area);
  return (
    <Gate title={words.link.deadTitle}>
      <div class="people-form" data-notice="dead link">
        <p>{words.link.deadText}</p>
        <ul class="people-list">
          <li>{words.link.deadUsed}</li>
          <li>{words.link.deadReset}</li>
          <li>{words.link.deadFirst}</li>
        </ul>
        <a class="button button--primary" href={linkTo(["sign-in"])}>
          {words.submit}
        </a>
      </div>
    </Gate>
  );
}

function Choose({ value, link }: { readonly value: string; readonly link: Link }): JSX.Element {
  const words = spoken(area);
  const first = link.purpose === "first-admin";
  const [name, password, tried, dead] = [
    useSignal(first ? link.user : ""),
    useSignal(""),
    useSignal(false),
    useSignal(false),
  ];
  const wait = useWait();
  const task = useTask();
  const badName = first && !isUserName(name.value);
  const send = (): void => {
    tried.value = true;
    if (badName || isRefused(strengthOf(password.value)) || wait.value > 0) return;
    void task.run(
      async () => {
        const choice = { password: password.value, ...(first ? { name: name.value.trim().toLowerCase() } : {}) };
        const { user } = await takeLink(value, choice);
        await loadSession();
        // the link is used: not an entry to go back to
        go(["boards"], {}, true);
        tell(words.link.welcome(user.display_name || user.name));
      },
      (error) => {
        dead.value = error instanceof HubError && (error.status === 404 || error.status === 410);
        wait.value = retrySecs(error);
        return dead.value || wait.value > 0;
      },
    );
  };
  if (dead.value) return <Dead />;
  return (
    <Gate title={first ? words.link.firstTitle : words.link.resetTitle}>
      <p>{first ? words.link.firstText : words.link.resetText(link.user)}</p>
      <Form label={words.link.firstTitle} onSubmit={send} testId="link">
        {first ? (
          <Line
            label={words.name}
            name="username"
            autocomplete="username"
            value={name.value}
            focus
            hint={words.link.nameHint}
            fault={
              tried.value && badName ? (name.value.trim() === "" ? words.nameMissing : words.link.nameForm) : undefined
            }
            onInput={(text) => {
              name.value = text;
            }}
          />
        ) : (
          // password managers store the new password for this name
          <input type="text" name="username" autocomplete="username" value={link.user} readOnly hidden />
        )}
        <NewPassword
          label={spoken(shared).password.label}
          name="password"
          value={password.value}
          avoid={[first ? name.value : link.user]}
          tried={tried.value}
          focus={!first}
          onInput={(text) => {
            password.value = text;
          }}
        />
        <Refusal sentence={wait.value > 0 ? { message: words.limited(wait.value), hint: "" } : task.failure.value} />
        <Submit
          label={first ? words.link.submitFirst : words.link.submitReset}
          busy={task.busy.value}
          disabled={wait.value > 0}
          testId="submit"
        />
        {link.expires !== null && <p class="gate__note">{words.link.expires(dateText(link.expires))}</p>}
      </Form>
    </Gate>
  );
}
