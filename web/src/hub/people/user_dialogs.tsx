// Dialogs of the list of users: create one, change one, and a one-time link, which is shown once.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Dialog } from "../../widgets/dialog";
import { HubError } from "../api/client";
import { changeUser, createUser, type UserRow } from "../api/people";
import { dateText, spoken } from "../preferences";
import * as area from "../texts/admin";
import * as shared from "../texts/people";
import { Copyable } from "./copyable";
import { Form, isRefused, Line, NewPassword, Radio, Refusal, Submit } from "./form";
import { type Limit, LimitField } from "./limit_field";
import { strengthOf } from "./password_strength";
import { useTask } from "./task";
import { isUserName } from "./user_name";

export type OneTime = { readonly name: string; readonly link: string; readonly expires: string | null };

type CreateProperties = {
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onLink: (link: OneTime) => void;
};

export function CreateUser({ onClose, onDone, onLink }: CreateProperties): JSX.Element {
  const words = spoken(area).users;
  const [name, display, password] = [useSignal(""), useSignal(""), useSignal("")];
  const [byLink, admin, tried, taken] = [useSignal(true), useSignal(false), useSignal(false), useSignal("")];
  const task = useTask();
  const wanted = name.value.trim().toLowerCase();
  const fault =
    wanted !== "" && wanted === taken.value
      ? words.nameTaken
      : !tried.value || isUserName(name.value)
        ? undefined
        : wanted === ""
          ? words.nameMissing
          : words.nameForm;
  const send = (): void => {
    tried.value = true;
    if (!isUserName(name.value) || (!byLink.value && isRefused(strengthOf(password.value)))) return;
    void task.run(
      async () => {
        const secret = byLink.value ? {} : { password: password.value };
        const made = await createUser({
          name: wanted,
          display_name: display.value.trim(),
          admin: admin.value,
          ...secret,
        });
        tell(words.createdUser(made.name));
        onDone();
        if (made.link === "") onClose();
        else onLink({ name: made.name, link: made.link, expires: made.link_expires });
      },
      (error) => {
        if (!(error instanceof HubError) || error.status !== 409) return false;
        taken.value = wanted;
        return true;
      },
    );
  };
  return (
    <Dialog title={words.create} onClose={onClose} lasting testId="new-user">
      <Form label={words.create} onSubmit={send}>
        <Line
          label={words.name}
          hint={words.nameHint}
          value={name.value}
          fault={fault}
          focus
          testId="user-name"
          onInput={(text) => {
            name.value = text;
          }}
        />
        <Line
          label={words.displayName}
          value={display.value}
          onInput={(text) => {
            display.value = text;
          }}
        />
        <fieldset class="people-fieldset">
          <legend>{words.how}</legend>
          <Radio label={words.byLink} group="how" checked={byLink.value} onChoose={() => choose(true)} />
          <Radio label={words.byPassword} group="how" checked={!byLink.value} onChoose={() => choose(false)} />
        </fieldset>
        {!byLink.value && (
          <NewPassword
            label={spoken(shared).password.label}
            value={password.value}
            avoid={[wanted]}
            tried={tried.value}
            testId="user-password"
            onInput={(text) => {
              password.value = text;
            }}
          />
        )}
        <div>
          <Checkbox
            label={words.makeAdmin}
            checked={admin.value}
            onChange={(on) => {
              admin.value = on;
            }}
          />
          <p class="field__hint">{words.adminHint}</p>
        </div>
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          <Submit label={words.create} busy={task.busy.value} testId="make-user" />
        </div>
      </Form>
    </Dialog>
  );

  function choose(value: boolean): void {
    byLink.value = value;
  }
}

type EditProperties = { readonly user: UserRow; readonly onClose: () => void; readonly onDone: () => void };

export function EditUser({ user, onClose, onDone }: EditProperties): JSX.Element {
  const words = spoken(area).users;
  const display = useSignal(user.display_name);
  const limit = useSignal<Limit>(user.boards_limit);
  const task = useTask();
  const valid = !Number.isNaN(limit.value);
  const save = (): void => {
    if (!valid) return;
    void task.run(async () => {
      await changeUser(user.name, { display_name: display.value.trim(), boards_limit: limit.value });
      tell(words.changed(user.name));
      onDone();
      onClose();
    });
  };
  return (
    <Dialog title={words.editTitle(user.name)} onClose={onClose} testId="edit-user">
      <Form label={words.editTitle(user.name)} onSubmit={save}>
        <Line
          label={words.displayName}
          value={display.value}
          focus
          onInput={(text) => {
            display.value = text;
          }}
        />
        <LimitField
          label={words.limit}
          value={limit.value}
          testId="limit"
          onChange={(value) => {
            limit.value = value;
          }}
        />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          <Submit label={spoken(shared).save} busy={task.busy.value} disabled={!valid} testId="save-user" />
        </div>
      </Form>
    </Dialog>
  );
}

export function ShowLink({ name, link, expires, onClose }: OneTime & { readonly onClose: () => void }): JSX.Element {
  const words = spoken(area).users;
  const done = spoken(shared).done;
  return (
    <Dialog
      title={words.linkTitle(name)}
      onClose={onClose}
      wide
      lasting
      testId="one-time-link"
      actions={<Button label={done} title={done} kind="primary" onClick={onClose} />}
    >
      <div class="people-form">
        <p>{words.linkText}</p>
        <Copyable label={words.linkTitle(name)} text={link} testId="link" />
        {expires !== null && <p class="people-quiet">{words.linkExpires(dateText(expires))}</p>}
      </div>
    </Dialog>
  );
}
