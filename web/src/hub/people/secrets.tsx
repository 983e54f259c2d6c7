// Storage secrets of a workspace: the list, tests, and deleting, which is refused while boards use one.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Menu } from "../../widgets/menu";
import { HubError } from "../api/client";
import { checkSecret, deleteSecret, fetchSecrets, type Secret, type SecretCheck, type Workspace } from "../api/people";
import { dateText, spoken } from "../preferences";
import { link } from "../router";
import * as shared from "../texts/people";
import * as area from "../texts/secrets";
import { Confirm } from "./confirm";
import { type Column, DataTable } from "./data_table";
import { Form, Line, Refusal, Submit } from "./form";
import { Badge, Section } from "./frame";
import { Empty, type Load, Loaded, useLoaded } from "./loaded";
import { mayHere } from "./rights";
import { goodText, isGood } from "./secret_checks";
import { CheckResult, SecretDialog } from "./secret_dialog";
import { EXAMPLE_PLACES } from "./secret_kinds";
import { useTask } from "./task";
import { Ago } from "./times";

type Sheet =
  | { readonly kind: "edit"; readonly old: Secret | null }
  | { readonly kind: "test"; readonly secret: Secret }
  | { readonly kind: "delete"; readonly secret: Secret };

export function Secrets({ workspace }: { readonly workspace: Workspace }): JSX.Element {
  const words = spoken(area);
  if (!mayHere(workspace, "secrets_read")) return <Empty title={words.notVisible} />;
  return <SecretList workspace={workspace} />;
}

function SecretList({ workspace }: { readonly workspace: Workspace }): JSX.Element {
  const words = spoken(area);
  const load = useLoaded(workspace.id, (signal) => fetchSecrets(workspace.id, signal));
  const sheet = useSignal<Sheet | null>(null);
  const mayEdit = mayHere(workspace, "secrets");
  const open = (next: Sheet): void => {
    sheet.value = next;
  };
  const create = (
    <Button
      icon="plus"
      label={words.create}
      title={words.create}
      kind="primary"
      testId="add-secret"
      onClick={() => open({ kind: "edit", old: null })}
    />
  );
  return (
    <Section
      title={words.title}
      text={mayEdit ? words.intro : `${words.intro} ${words.onlyAdmins}`}
      actions={mayEdit && create}
      testId="secrets"
    >
      <Loaded load={load}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
            </Empty>
          ) : (
            <DataTable
              label={words.title}
              rows={rows}
              keyOf={(row) => row.name}
              columns={columns(workspace, mayEdit, open)}
            />
          )
        }
      </Loaded>
      {sheet.value !== null && (
        <OpenSheet
          workspace={workspace}
          sheet={sheet.value}
          load={load}
          onClose={() => {
            sheet.value = null;
          }}
        />
      )}
    </Section>
  );
}

type SheetProperties = {
  readonly workspace: Workspace;
  readonly sheet: Sheet;
  readonly load: Load<readonly Secret[]>;
  readonly onClose: () => void;
};

function OpenSheet({ workspace, sheet, load, onClose }: SheetProperties): JSX.Element {
  const now = load.result.value;
  const names = now.state === "ready" ? now.value.map(({ name }) => name) : [];
  if (sheet.kind === "edit")
    return (
      <SecretDialog workspace={workspace.id} old={sheet.old} names={names} onClose={onClose} onSaved={load.reload} />
    );
  if (sheet.kind === "test")
    return <TestDialog workspace={workspace.id} secret={sheet.secret} onClose={onClose} onTested={load.reload} />;
  return <DeleteSecret workspace={workspace.id} secret={sheet.secret} onClose={onClose} onDeleted={load.reload} />;
}

function columns(workspace: Workspace, mayEdit: boolean, open: (sheet: Sheet) => void): readonly Column<Secret>[] {
  const words = spoken(area);
  return [
    { key: "name", title: words.name, cell: (row) => <SecretName secret={row} /> },
    { key: "kind", title: words.kind, cell: (row) => words.kinds[row.kind] ?? row.kind },
    { key: "place", title: words.place, cell: (row) => <Place secret={row} /> },
    { key: "checked", title: words.checked, cell: (row) => <LastCheck secret={row} /> },
    { key: "used", title: words.usedBy, cell: (row) => <UsedBy secret={row} workspace={workspace.id} /> },
    {
      key: "actions",
      title: "",
      cell: (row) => (
        <span class="people-buttons">
          <Button
            label={words.test}
            title={words.testTitle(row.name)}
            onClick={() => open({ kind: "test", secret: row })}
          />
          {mayEdit && (
            <Menu
              label={spoken(shared).actions(row.name)}
              items={[
                { label: words.replace, icon: "edit", onSelect: () => open({ kind: "edit", old: row }) },
                {
                  label: words.delete,
                  icon: "trash",
                  danger: true,
                  onSelect: () => open({ kind: "delete", secret: row }),
                },
              ]}
            />
          )}
        </span>
      ),
    },
  ];
}

function SecretName({ secret }: { readonly secret: Secret }): JSX.Element {
  const words = spoken(area);
  return (
    <span class="people-name" title={words.updated(dateText(secret.updated), secret.created_by)}>
      <strong>{secret.name}</strong>
      {secret.shown.principal !== undefined && <code class="people-name__id">{secret.shown.principal}</code>}
    </span>
  );
}

function Place({ secret }: { readonly secret: Secret }): JSX.Element {
  const { endpoint, account, region } = secret.shown;
  const parts = [endpoint ?? account, region].filter((one) => one !== undefined && one !== "");
  if (parts.length === 0) return <span class="people-quiet">{spoken(area).noPlace}</span>;
  return <span class="people-break">{parts.join(" · ")}</span>;
}

function LastCheck({ secret }: { readonly secret: Secret }): JSX.Element {
  const words = spoken(area);
  if (secret.checked === null) return <span class="people-quiet">{words.unchecked}</span>;
  const good = isGood(secret.check_message);
  return (
    <div title={secret.check_message}>
      <span class="people-name">
        <Badge text={good ? goodText(secret.check_message) : words.fails} tone={good ? "good" : "bad"} />
        <span class="people-quiet">
          <Ago time={secret.checked} />
        </span>
      </span>
      {!good && <div class="people-table__note">{secret.check_message}</div>}
    </div>
  );
}

function UsedBy({ secret, workspace }: { readonly secret: Secret; readonly workspace: string }): JSX.Element {
  const words = spoken(area);
  const count = secret.used_by.length;
  const [only] = secret.used_by;
  if (only === undefined) return <span class="people-quiet">{words.unused}</span>;
  return <a href={count === 1 ? link(["boards", only]) : link(["boards"], { workspace })}>{words.boards(count)}</a>;
}

type OneProperties = { readonly workspace: string; readonly secret: Secret; readonly onClose: () => void };

function TestDialog({
  workspace,
  secret,
  onClose,
  onTested,
}: OneProperties & { readonly onTested: () => void }): JSX.Element {
  const words = spoken(area);
  const place = useSignal("");
  const check = useSignal<SecretCheck | null>(null);
  const task = useTask();
  // without an address, the hub takes one of a board that uses the secret
  const possible = place.value.trim() !== "" || secret.used_by.length > 0 || secret.kind === "web";
  const test = (): void => {
    check.value = null;
    if (!possible) return;
    void task.run(async () => {
      check.value = await checkSecret(workspace, secret.name, place.value.trim());
      onTested();
    });
  };
  const close = spoken(shared).close;
  return (
    <Dialog title={words.testTitle(secret.name)} onClose={onClose} testId="test-secret">
      <Form label={words.test} onSubmit={test}>
        <Line
          label={words.testPlace}
          value={place.value}
          focus
          placeholder={EXAMPLE_PLACES[secret.kind]}
          hint={possible && place.value.trim() === "" ? words.testOfBoard : words.testPlaceHint}
          testId="place"
          onInput={(text) => {
            place.value = text;
          }}
        />
        <CheckResult check={check.value} />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={close} title={close} onClick={onClose} />
          <Submit
            label={task.busy.value ? words.testing : words.test}
            busy={task.busy.value}
            disabled={!possible}
            testId="test"
          />
        </div>
      </Form>
    </Dialog>
  );
}

type InUse = { readonly id: string; readonly name: string };

/** The boards that a refusal names. */
function boardsOf(error: unknown): readonly InUse[] {
  if (!(error instanceof HubError) || !Array.isArray(error.problem.boards)) return [];
  return error.problem.boards as readonly InUse[];
}

function DeleteSecret({
  workspace,
  secret,
  onClose,
  onDeleted,
}: OneProperties & { readonly onDeleted: () => void }): JSX.Element {
  const words = spoken(area);
  const using = useSignal<readonly InUse[]>([]);
  const used = using.value.length > 0;
  return (
    <Confirm
      title={words.deleteTitle(secret.name)}
      text={used ? undefined : words.deleteText}
      action={used ? words.force : words.delete}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await deleteSecret(workspace, secret.name, used);
        } catch (error) {
          using.value = boardsOf(error);
          throw error;
        }
        tell(words.deleted(secret.name));
        onDeleted();
      }}
    >
      {used && (
        <>
          <p>{words.inUse(using.value.length)}</p>
          <ul class="people-list" data-testid="in-use">
            {using.value.map(({ id, name }) => (
              <li key={id}>
                <a href={link(["boards", id])}>{name}</a>
              </li>
            ))}
          </ul>
          <p class="people-quiet">{words.forceText}</p>
        </>
      )}
    </Confirm>
  );
}
