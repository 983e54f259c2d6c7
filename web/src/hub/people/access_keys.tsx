// Access keys of the account, for clients of Alibaba Cloud PAI: the list, a dialog to create one, and its secret, which
// is shown once.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { type AccessKey, createAccessKey, deleteAccessKey, fetchAccessKeys, type NewAccessKey } from "../api/people";
import { spoken } from "../preferences";
import * as area from "../texts/account";
import * as shared from "../texts/people";
import { Confirm } from "./confirm";
import { Copyable } from "./copyable";
import { type Column, DataTable } from "./data_table";
import { ExpiryChoice, ExpiryTime } from "./expiry";
import { Form, Line, Refusal, Submit } from "./form";
import { Section } from "./frame";
import { Loaded, useLoaded } from "./loaded";
import { useTask } from "./task";
import { Ago, When } from "./times";

type Sheet =
  | { readonly kind: "create" }
  | { readonly kind: "made"; readonly made: NewAccessKey }
  | { readonly kind: "delete"; readonly key: AccessKey };

export function AccessKeys(): JSX.Element {
  const words = spoken(area).accessKeys;
  const load = useLoaded("access keys", fetchAccessKeys);
  const sheet = useSignal<Sheet | null>(null);
  const open = sheet.value;
  const close = (): void => {
    sheet.value = null;
  };
  const create = (
    <Button
      icon="plus"
      label={words.create}
      title={words.create}
      testId="create-key"
      onClick={() => {
        sheet.value = { kind: "create" };
      }}
    />
  );
  return (
    <Section title={words.heading} text={words.intro} actions={create} testId="access-keys">
      <Loaded load={load}>
        {(rows) =>
          rows.length > 0 && (
            <DataTable
              label={words.heading}
              rows={rows}
              keyOf={(row) => row.id}
              columns={columns((key) => {
                sheet.value = { kind: "delete", key };
              })}
            />
          )
        }
      </Loaded>
      {open?.kind === "create" && (
        <CreateKey
          onClose={close}
          onMade={(made) => {
            sheet.value = { kind: "made", made };
            load.reload();
          }}
        />
      )}
      {open?.kind === "made" && <MadeKey made={open.made} onClose={close} />}
      {open?.kind === "delete" && (
        <Confirm
          title={words.deleteTitle(open.key.name)}
          text={spoken(area).tokens.revokeText}
          action={spoken(area).tokens.revoke}
          onClose={close}
          onConfirm={async () => {
            await deleteAccessKey(open.key.id);
            tell(words.deleted(open.key.name));
            load.reload();
          }}
        />
      )}
    </Section>
  );
}

function columns(revoke: (key: AccessKey) => void): readonly Column<AccessKey>[] {
  const words = spoken(area).tokens;
  return [
    { key: "name", title: words.name, cell: (row) => <strong>{row.name}</strong> },
    { key: "id", title: spoken(area).accessKeys.id, cell: (row) => <code>{row.access_key_id}</code> },
    { key: "created", title: words.created, cell: (row) => <When time={row.created} /> },
    { key: "used", title: words.used, cell: (row) => <Ago time={row.last_used} none={words.unused} /> },
    { key: "expires", title: words.expires, cell: (row) => <ExpiryTime expires={row.expires} /> },
    {
      key: "actions",
      title: "",
      cell: (row) => <Button label={words.revoke} title={words.revoke} kind="danger" onClick={() => revoke(row)} />,
    },
  ];
}

type CreateProperties = { readonly onClose: () => void; readonly onMade: (made: NewAccessKey) => void };

function CreateKey({ onClose, onMade }: CreateProperties): JSX.Element {
  const words = spoken(area).accessKeys;
  const [name, expiry] = [useSignal(""), useSignal("90d")];
  const task = useTask();
  const send = (): void =>
    void task.run(async () => {
      onMade(await createAccessKey({ name: name.value.trim(), expires_in: expiry.value }));
    });
  return (
    <Dialog title={words.create} onClose={onClose} lasting testId="new-key">
      <Form label={words.create} onSubmit={send}>
        <Line
          label={spoken(area).tokens.name}
          hint={spoken(area).tokens.nameHint}
          value={name.value}
          focus
          onInput={(text) => {
            name.value = text;
          }}
        />
        <ExpiryChoice value={expiry} />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          <Submit label={words.create} busy={task.busy.value} testId="make-key" />
        </div>
      </Form>
    </Dialog>
  );
}

function MadeKey({ made, onClose }: { readonly made: NewAccessKey; readonly onClose: () => void }): JSX.Element {
  const words = spoken(area).accessKeys;
  const done = spoken(shared).done;
  return (
    <Dialog
      title={words.madeTitle}
      onClose={onClose}
      wide
      lasting
      testId="made-key"
      actions={<Button label={done} title={done} kind="primary" onClick={onClose} />}
    >
      <div class="people-form">
        <p>{words.madeText}</p>
        <h3>{words.id}</h3>
        <Copyable label={words.id} text={made.access_key_id} testId="key-id" />
        <h3>{words.secret}</h3>
        <Copyable label={words.secret} text={made.access_key_secret} testId="key-secret" />
      </div>
    </Dialog>
  );
}
