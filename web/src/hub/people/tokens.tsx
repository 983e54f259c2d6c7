// API tokens of the account: the list, a dialog to create one, and the token itself, which is shown once.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { createToken, fetchTokens, type NewToken, revokeToken, type Token } from "../api/people";
import type { Me } from "../api/types";
import { spoken } from "../preferences";
import * as area from "../texts/account";
import * as shared from "../texts/people";
import { Confirm } from "./confirm";
import { Copyable } from "./copyable";
import { type Column, DataTable } from "./data_table";
import { ExpiryChoice, ExpiryTime } from "./expiry";
import { Form, Line, Radio, Refusal, Submit } from "./form";
import { Section } from "./frame";
import { Empty, Loaded, useLoaded } from "./loaded";
import { useTask } from "./task";
import { Ago, When } from "./times";

type Sheet =
  | { readonly kind: "create" }
  | { readonly kind: "made"; readonly token: NewToken }
  | { readonly kind: "revoke"; readonly token: Token };

export function Tokens({ me }: { readonly me: Me }): JSX.Element {
  const words = spoken(area).tokens;
  const load = useLoaded("tokens", fetchTokens);
  const sheet = useSignal<Sheet | null>(null);
  const close = (): void => {
    sheet.value = null;
  };
  const open = sheet.value;
  const create = (
    <Button
      icon="plus"
      label={words.create}
      title={words.create}
      kind="primary"
      testId="create-token"
      onClick={() => {
        sheet.value = { kind: "create" };
      }}
    />
  );
  return (
    <Section title={words.heading} text={words.intro} actions={create}>
      <Loaded load={load}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
            </Empty>
          ) : (
            <DataTable
              label={words.heading}
              rows={rows}
              keyOf={(row) => row.id}
              testId="tokens"
              columns={columns((token) => {
                sheet.value = { kind: "revoke", token };
              })}
            />
          )
        }
      </Loaded>
      {open?.kind === "create" && (
        <CreateToken
          me={me}
          onClose={close}
          onMade={(token) => {
            sheet.value = { kind: "made", token };
            load.reload();
          }}
        />
      )}
      {open?.kind === "made" && <MadeToken token={open.token} url={hubUrl(me)} onClose={close} />}
      {open?.kind === "revoke" && (
        <Confirm
          title={words.revokeTitle(open.token.name)}
          text={words.revokeText}
          action={words.revoke}
          onClose={close}
          onConfirm={async () => {
            await revokeToken(open.token.id);
            tell(words.revoked(open.token.name));
            load.reload();
          }}
        />
      )}
    </Section>
  );
}

/** The hub's address as this browser reaches it, if the hub does not say another. */
function hubUrl(me: Me): string {
  return me.hub.url || new URL(".", location.href).href.replace(/\/$/, "");
}

function columns(revoke: (token: Token) => void): readonly Column<Token>[] {
  const words = spoken(area).tokens;
  return [
    { key: "name", title: words.name, cell: (row) => <strong>{row.name}</strong> },
    { key: "scopes", title: words.may, cell: (row) => <Scopes scopes={row.scopes} /> },
    { key: "created", title: words.created, cell: (row) => <When time={row.created} /> },
    { key: "used", title: words.used, cell: (row) => <Ago time={row.last_used} none={words.unused} /> },
    { key: "expires", title: words.expires, cell: (row) => <ExpiryTime expires={row.expires} /> },
    {
      key: "actions",
      title: "",
      cell: (row) => (
        <Button label={words.revoke} title={words.revokeTitle(row.name)} kind="danger" onClick={() => revoke(row)} />
      ),
    },
  ];
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }): JSX.Element {
  const words = spoken(area).tokens;
  if (scopes.length === 0) return <>{words.everything}</>;
  return (
    <ul class="people-plain-list">
      {scopes.map((scope) => (
        <li key={scope}>{scopeText(scope)}</li>
      ))}
    </ul>
  );
}

const IN_WORKSPACE = "!workspace=";

/** "boards:read!workspace=vision" in plain words. */
function scopeText(scope: string): string {
  const words = spoken(area).tokens;
  const [name = "", workspace] = scope.split(IN_WORKSPACE);
  const text = words.scopes[name] ?? name;
  return workspace === undefined ? text : words.scopeIn(text, workspace);
}

const SCOPES = ["boards:read", "boards:write", "workspaces:write", "own"] as const;
/** Scopes that can be limited to a workspace. */
const LOCAL: ReadonlySet<string> = new Set(["boards:read", "boards:write", "workspaces:write"]);

type CreateProperties = {
  readonly me: Me;
  readonly onClose: () => void;
  readonly onMade: (token: NewToken) => void;
};

function CreateToken({ me, onClose, onMade }: CreateProperties): JSX.Element {
  const words = spoken(area).tokens;
  const [name, whole, tried] = [useSignal(""), useSignal(true), useSignal(false)];
  const chosen = useSignal<ReadonlySet<string>>(new Set(["boards:read"]));
  const workspace = useSignal("");
  const expiry = useSignal("90d");
  const task = useTask();
  const offered = me.user.admin ? [...SCOPES, "admin"] : SCOPES;
  const scopes = whole.value ? [] : scopesOf(chosen.value, workspace.value);
  const send = (): void => {
    tried.value = true;
    if (name.value.trim() === "" || (!whole.value && scopes.length === 0)) return;
    void task.run(async () => {
      onMade(await createToken({ name: name.value.trim(), scopes, expires_in: expiry.value }));
    });
  };
  return (
    <Dialog title={words.create} onClose={onClose} lasting testId="new-token">
      <Form label={words.create} onSubmit={send}>
        <Line
          label={words.name}
          hint={words.nameHint}
          value={name.value}
          focus
          fault={tried.value && name.value.trim() === "" ? words.nameMissing : undefined}
          onInput={(text) => {
            name.value = text;
          }}
        />
        <fieldset class="people-fieldset">
          <legend>{words.may}</legend>
          <Radio label={words.everything} group="may" checked={whole.value} onChoose={() => setWhole(true)} />
          <Radio label={words.selected} group="may" checked={!whole.value} onChoose={() => setWhole(false)} />
          {!whole.value && (
            <div class="people-indented">
              {offered.map((scope) => (
                <Checkbox
                  key={scope}
                  label={words.scopes[scope] ?? scope}
                  checked={chosen.value.has(scope)}
                  testId={`scope-${scope}`}
                  onChange={(on) => {
                    const rest = [...chosen.value].filter((one) => one !== scope);
                    chosen.value = new Set(on ? [...rest, scope] : rest);
                  }}
                />
              ))}
              {[...chosen.value].some((scope) => LOCAL.has(scope)) && (
                <Select
                  label={words.workspace}
                  value={workspace.value}
                  options={[
                    { value: "", label: words.allWorkspaces },
                    ...me.workspaces.map((one) => ({ value: one.id, label: one.name || one.id })),
                  ]}
                  onChange={(value) => {
                    workspace.value = value;
                  }}
                />
              )}
              {tried.value && scopes.length === 0 && <p class="field__hint field__hint--bad">{words.nothing}</p>}
            </div>
          )}
        </fieldset>
        <ExpiryChoice value={expiry} />
        <Refusal sentence={task.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          <Submit label={words.create} busy={task.busy.value} testId="make-token" />
        </div>
      </Form>
    </Dialog>
  );

  function setWhole(value: boolean): void {
    whole.value = value;
  }
}

function scopesOf(chosen: ReadonlySet<string>, workspace: string): readonly string[] {
  return [...chosen].map((scope) => (workspace !== "" && LOCAL.has(scope) ? scope + IN_WORKSPACE + workspace : scope));
}

type MadeProperties = { readonly token: NewToken; readonly url: string; readonly onClose: () => void };

function MadeToken({ token, url, onClose }: MadeProperties): JSX.Element {
  const words = spoken(area).tokens;
  const done = spoken(shared).done;
  return (
    <Dialog
      title={words.madeTitle}
      onClose={onClose}
      wide
      lasting
      testId="made-token"
      actions={<Button label={done} title={done} kind="primary" onClick={onClose} />}
    >
      <div class="people-form">
        <p>{words.madeText}</p>
        <Copyable label={words.token} text={token.token} testId="token" />
        <h3>{words.forShell}</h3>
        <Copyable
          label={words.forShell}
          text={`export LIGHTBOARD_HUB=${url}\nexport LIGHTBOARD_HUB_TOKEN=${token.token}`}
          testId="exports"
        />
        <p>{words.login}</p>
        <Copyable label={words.login} text={`lightboard login ${url}`} testId="login" />
      </div>
    </Dialog>
  );
}
