// The sign-in page: name and password, then the page that the user wanted to see.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../../widgets/button";
import { HubError } from "../api/client";
import { signIn } from "../api/people";
import { spoken } from "../preferences";
import { followNext } from "../router";
import { loadSession, me } from "../session";
import * as shared from "../texts/people";
import * as area from "../texts/sign_in";
import { Form, HiddenLine, Line, Refusal, Submit } from "./form";
import "./sign_in.css";
import { useTask } from "./task";

export function Page(): JSX.Element {
  const words = spoken(area);
  return <Gate title={words.title}>{me.value === null ? <SignIn /> : <SignedIn name={me.value.user.name} />}</Gate>;
}

/** A small card in the middle of the page. */
export function Gate({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    document.title = `${title} – Lightboard`;
    return () => {
      document.title = "Lightboard";
    };
  }, [title]);
  return (
    <main class="gate">
      <div class="gate__card">
        <img src="./icon.svg" alt="" width="36" height="36" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** A session that exists is not replaced by accident. */
function SignedIn({ name }: { readonly name: string }): JSX.Element {
  const words = spoken(area);
  return (
    <>
      <p>{words.signedInAs(name)}</p>
      <Button label={words.goOn} title={words.goOn} kind="primary" onClick={followNext} />
    </>
  );
}

function SignIn(): JSX.Element {
  const words = spoken(area);
  const [name, password] = [useSignal(""), useSignal("")];
  const [tried, wrong] = [useSignal(false), useSignal(false)];
  const wait = useWait();
  const task = useTask();
  const send = (): void => {
    tried.value = true;
    wrong.value = false;
    if (name.value.trim() === "" || password.value === "" || wait.value > 0) return;
    void task.run(
      async () => {
        await signIn(name.value.trim(), password.value);
        await loadSession();
        followNext();
      },
      (error) => {
        password.value = "";
        tried.value = false;
        wait.value = retrySecs(error);
        wrong.value = error instanceof HubError && error.code === "WrongPassword";
        return wait.value > 0 || wrong.value;
      },
    );
  };
  const message = wait.value > 0 ? words.limited(wait.value) : wrong.value ? words.wrong : null;
  return (
    <Form label={words.title} onSubmit={send} testId="sign-in">
      <Line
        label={words.name}
        name="username"
        autocomplete="username"
        value={name.value}
        focus
        fault={tried.value && name.value.trim() === "" ? words.nameMissing : undefined}
        onInput={(text) => {
          name.value = text;
        }}
      />
      <HiddenLine
        label={spoken(shared).password.label}
        name="password"
        autocomplete="current-password"
        value={password.value}
        fault={tried.value && password.value === "" ? words.passwordMissing : undefined}
        onInput={(text) => {
          password.value = text;
        }}
      />
      <Refusal sentence={message === null ? task.failure.value : { message, hint: "" }} />
      <Submit
        label={task.busy.value ? words.signingIn : words.submit}
        busy={task.busy.value}
        disabled={wait.value > 0}
        testId="submit"
      />
      <p class="gate__note">{words.forgot}</p>
    </Form>
  );
}

/** Seconds until the next attempt; counts down. */
export function useWait(): Signal<number> {
  const wait = useSignal(0);
  const waiting = wait.value > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => {
      wait.value = Math.max(0, wait.value - 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [waiting, wait]);
  return wait;
}

/** How long the hub wants to be left alone after too many attempts; 0 for other errors. */
export function retrySecs(error: unknown): number {
  if (!(error instanceof HubError) || error.status !== 429) return 0;
  const { retry_secs: told } = error.problem;
  const seconds = typeof told === "number" ? told : Number(/\d+/.exec(error.hint)?.[0] ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 60;
}
