// The dialog that adds or replaces a secret: the fields of its kind, a test before saving, and saving anyway.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Dialog } from "../../widgets/dialog";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { HubError } from "../api/client";
import {
  checkContent,
  createSecret,
  replaceSecret,
  type SavedSecret,
  type Secret,
  type SecretCheck,
  type SecretContent,
} from "../api/people";
import type { SecretKind } from "../api/types";
import { spoken } from "../preferences";
import * as shared from "../texts/people";
import * as area from "../texts/secrets";
import { Form, HiddenLine, Line, Refusal, Submit, TextArea } from "./form";
import { badSentence, goodText } from "./secret_checks";
import {
  EXAMPLE_PLACES,
  faultsOf,
  isCredential,
  type Members,
  membersOf,
  SECRET_FIELDS,
  SECRET_KINDS,
  type SecretFault,
  type SecretField,
} from "./secret_kinds";
import { slugFault } from "./slug";
import { useTask } from "./task";

type Properties = {
  readonly workspace: string;
  /** The secret to replace; null for a new one. */
  readonly old: Secret | null;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
};

type Entered = {
  readonly name: Signal<string>;
  readonly kind: Signal<SecretKind>;
  readonly members: Signal<Members>;
  readonly anonymous: Signal<boolean>;
  readonly place: Signal<string>;
};

function useEntered(old: Secret | null): Entered {
  return {
    name: useSignal(old?.name ?? ""),
    kind: useSignal<SecretKind>(old?.kind ?? "s3"),
    // what may be shown is filled in again, the rest must be entered
    members: useSignal<Members>(old?.shown ?? {}),
    anonymous: useSignal(old?.shown.principal === "anonymous"),
    place: useSignal(""),
  };
}

export function SecretDialog({ workspace, old, names, onClose, onSaved }: Properties): JSX.Element {
  const words = spoken(area);
  const entered = useEntered(old);
  const tried = useSignal(false);
  const check = useSignal<SecretCheck | null>(null);
  const [testing, saving] = [useTask(), useTask()];
  const content = contentOf(entered);
  const faults = faultsOf(content.kind, content.members, entered.anonymous.value);
  const nameFault = nameFaultOf(content.name, old, names);
  const ready = Object.keys(faults).length === 0;
  const place = content.check ?? "";
  const test = (): void => {
    tried.value = true;
    check.value = null;
    if (!ready || (place === "" && content.kind !== "web")) return;
    void testing.run(async () => {
      check.value = await checkContent(workspace, content);
    });
  };
  const save = (anyway: boolean): void => {
    tried.value = true;
    if (!ready || nameFault !== undefined) return;
    const send = old === null ? createSecret : replaceSecret;
    void saving.run(
      async () => {
        const saved = await send(workspace, content, anyway);
        tell(savedText(saved));
        onSaved();
        onClose();
      },
      (error) => {
        check.value = refusedCheck(error);
        return check.value !== null;
      },
    );
  };
  const title = old === null ? words.create : words.replaceTitle(old.name);
  const changed = (): void => {
    check.value = null;
  };
  return (
    <Dialog title={title} onClose={onClose} lasting testId="secret-dialog">
      <Form label={title} onSubmit={() => save(false)}>
        {old !== null && <p>{words.replaceText(old.used_by.length)}</p>}
        {old === null && <Name entered={entered} fault={tried.value ? nameFault : undefined} />}
        <Fields entered={entered} faults={tried.value ? faults : {}} onChange={changed} />
        <div class="people-row people-row--top">
          <Line
            label={words.testPlace}
            value={entered.place.value}
            placeholder={EXAMPLE_PLACES[content.kind]}
            hint={place === "" && content.kind !== "web" ? words.testWithout : words.testPlaceHint}
            testId="place"
            onInput={(text) => {
              entered.place.value = text;
              changed();
            }}
          />
          <Button
            label={testing.busy.value ? words.testing : words.test}
            title={place === "" && content.kind !== "web" ? words.testNeedsPlace : words.test}
            disabled={testing.busy.value || saving.busy.value || (place === "" && content.kind !== "web")}
            testId="test"
            onClick={test}
          />
        </div>
        <CheckResult check={check.value} />
        <Refusal sentence={testing.failure.value ?? saving.failure.value} />
        <div class="people-form__actions">
          <Button label={spoken(shared).cancel} title={spoken(shared).cancel} onClick={onClose} />
          {check.value?.ok === false && (
            <Button
              label={words.saveAnyway}
              title={words.saveAnyway}
              disabled={saving.busy.value}
              testId="save-anyway"
              onClick={() => save(true)}
            />
          )}
          <Submit
            label={saving.busy.value && place !== "" ? words.saving : words.save}
            busy={saving.busy.value}
            testId="save-secret"
          />
        </div>
      </Form>
    </Dialog>
  );
}

function contentOf({ name, kind, members, anonymous, place }: Entered): SecretContent {
  const check = place.value.trim();
  return {
    name: name.value.trim(),
    kind: kind.value,
    members: membersOf(kind.value, members.value, anonymous.value),
    ...(check === "" ? {} : { check }),
  };
}

function nameFaultOf(name: string, old: Secret | null, names: readonly string[]): string | undefined {
  const words = spoken(area);
  if (old !== null) return undefined;
  if (names.includes(name)) return words.nameTaken;
  const fault = slugFault(name);
  return fault === null ? undefined : fault === "empty" ? words.nameMissing : words.nameForm;
}

function savedText({ name, check }: SavedSecret): string {
  const words = spoken(area);
  return check.ok === true ? words.savedWith(name, goodText(check.message)) : words.saved(name);
}

/** The hub tried the credentials and refuses to save them; null for other errors. */
function refusedCheck(error: unknown): SecretCheck | null {
  if (!(error instanceof HubError) || error.problem.check === undefined) return null;
  return { ok: false, message: error.message, code: error.code, hint: error.hint };
}

function Name({ entered, fault }: { readonly entered: Entered; readonly fault: string | undefined }): JSX.Element {
  const words = spoken(area);
  return (
    <Line
      label={words.name}
      value={entered.name.value}
      focus
      hint={entered.kind.value === "s3" ? words.nameHintS3 : words.nameHint}
      fault={fault}
      testId="secret-name"
      onInput={(text) => {
        entered.name.value = text;
      }}
    />
  );
}

type FieldsProperties = {
  readonly entered: Entered;
  readonly faults: Readonly<Record<string, SecretFault>>;
  readonly onChange: () => void;
};

function Fields({ entered, faults, onChange }: FieldsProperties): JSX.Element {
  const words = spoken(area);
  const { kind, anonymous } = entered;
  const shown = SECRET_FIELDS[kind.value].filter((field) => !anonymous.value || !isCredential(field));
  const draw = (field: SecretField): JSX.Element => (
    <OneField key={field.name} field={field} entered={entered} fault={faults[field.name]} onChange={onChange} />
  );
  const rare = shown.filter((field) => field.rare === true);
  return (
    <>
      <Select
        label={words.kind}
        value={kind.value}
        options={SECRET_KINDS.map((value) => ({ value, label: words.kinds[value] ?? value }))}
        testId="kind"
        onChange={(value) => {
          kind.value = value;
          onChange();
        }}
      />
      {shown.filter((field) => field.rare !== true).map(draw)}
      <Checkbox
        label={words.anonymous}
        checked={anonymous.value}
        onChange={(on) => {
          anonymous.value = on;
          onChange();
        }}
      />
      {rare.length > 0 && (
        <details class="people-more">
          <summary>{words.moreFields}</summary>
          <div class="people-form">{rare.map(draw)}</div>
        </details>
      )}
    </>
  );
}

type FieldProperties = {
  readonly field: SecretField;
  readonly entered: Entered;
  readonly fault: SecretFault | undefined;
  readonly onChange: () => void;
};

function OneField({ field, entered, fault, onChange }: FieldProperties): JSX.Element {
  const words = spoken(area);
  const { name, form } = field;
  const { kind, members } = entered;
  const set = (text: string): void => {
    members.value = { ...members.value, [name]: text };
    onChange();
  };
  const line = {
    label: words.members[name] ?? name,
    value: members.value[name] ?? "",
    hint: words.hints[`${kind.value}.${name}`],
    fault: fault === undefined ? undefined : words[fault],
    testId: `member-${name}`,
    onInput: set,
  };
  if (form === "hidden") return <HiddenLine {...line} autocomplete="new-password" />;
  if (form === "json") return <TextArea {...line} mono />;
  if (form === "style")
    return (
      <Select
        label={line.label}
        value={line.value}
        options={Object.entries(words.styles).map(([value, label]) => ({ value, label }))}
        onChange={set}
      />
    );
  return <Line {...line} />;
}

export function CheckResult({ check }: { readonly check: SecretCheck | null }): JSX.Element | null {
  const words = spoken(area);
  if (check === null || check.ok === null) return null;
  if (check.ok)
    return (
      <p class="people-success" role="status" data-testid="check">
        <Icon name="check" /> {words.works(goodText(check.message))}
      </p>
    );
  const { message, hint } = badSentence(check);
  return (
    <div class="people-refusal" role="alert" data-testid="check">
      <Icon name="warning" />
      <div>
        <strong>{words.fails}</strong>
        <p>{message}</p>
        {hint !== "" && <p>{hint}</p>}
      </div>
    </div>
  );
}
