// Parts of forms: the form itself, password fields with advice, text areas, and the message of what was refused.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../../widgets/icons";
import type { Sentence } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/people";
import { LEAST_LENGTH, type Strength, strengthOf } from "./password_strength";
import "../../widgets/fields.css";
import "./people.css";

type FormProperties = {
  readonly label: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
  readonly testId?: string;
};

/** A real form: Enter submits it, and password managers recognize it. Fields are checked by the page. */
export function Form({ label, onSubmit, children, testId }: FormProperties): JSX.Element {
  return (
    <form
      class="people-form"
      aria-label={label}
      noValidate
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        // also in text areas, where Enter alone starts a line
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

type SubmitProperties = {
  readonly label: string;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly testId?: string;
};

export function Submit({ label, busy = false, disabled = false, testId }: SubmitProperties): JSX.Element {
  return (
    <button
      type="submit"
      class="button button--primary"
      disabled={busy || disabled}
      aria-busy={busy}
      data-testid={testId}
    >
      <span class="button__label">{label}</span>
    </button>
  );
}

type LineProperties = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly name?: string;
  readonly autocomplete?: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean;
  readonly focus?: boolean;
  readonly testId?: string;
};

/** A text field of a form; unlike TextField, browsers may complete it. */
export function Line(properties: LineProperties): JSX.Element {
  return <Field {...properties} type="text" />;
}

type FieldProperties = LineProperties & { readonly type: "text" | "password"; readonly children?: ComponentChildren };

// two constants, because the types know either kind of field, not both at once
const TEXT = { type: "text" } as const;
const PASSWORD = { type: "password" } as const;

function Field(properties: FieldProperties): JSX.Element {
  const { label, value, onInput, fault, hint, autocomplete = "off", focus = false, children } = properties;
  const id = useId();
  const text = fault ?? hint;
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      <div class="people-field">
        <input
          id={id}
          class="field__input"
          {...(properties.type === "password" ? PASSWORD : TEXT)}
          name={properties.name}
          value={value}
          autocomplete={autocomplete}
          spellcheck={false}
          autoCapitalize="none"
          placeholder={properties.placeholder}
          disabled={properties.disabled}
          // biome-ignore lint/a11y/noAutofocus: only asked for in pages and dialogs that exist for this field
          autoFocus={focus}
          aria-invalid={fault !== undefined}
          aria-describedby={text === undefined ? undefined : `${id}-hint`}
          data-testid={properties.testId}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {children}
      </div>
      {text !== undefined && (
        <span id={`${id}-hint`} class={fault === undefined ? "field__hint" : "field__hint field__hint--bad"}>
          {text}
        </span>
      )}
    </div>
  );
}

/** A text that is hidden unless the user wants to see it. */
export function HiddenLine(properties: LineProperties): JSX.Element {
  const words = spoken(area).password;
  const shown = useSignal(false);
  const title = shown.value ? words.hide : words.show;
  return (
    <Field {...properties} type={shown.value ? "text" : "password"}>
      <button
        type="button"
        class="people-field__eye"
        title={title}
        aria-label={title}
        aria-pressed={shown.value}
        onClick={() => {
          shown.value = !shown.value;
        }}
      >
        <Icon name={shown.value ? "eye-off" : "eye"} />
      </button>
    </Field>
  );
}

const LEVELS: Readonly<Record<Strength, number>> = { short: 0, long: 0, weak: 1, fair: 2, strong: 3 };

type NewPasswordProperties = Omit<LineProperties, "hint" | "fault" | "autocomplete"> & {
  /** What somebody would guess first. */
  readonly avoid?: readonly string[];
  /** The user tried to send the form. */
  readonly tried: boolean;
};

/** A new password with advice while it is typed. */
export function NewPassword(properties: NewPasswordProperties): JSX.Element {
  const { value, avoid = [], tried } = properties;
  const words = spoken(area).password;
  const strength = strengthOf(value, avoid);
  const missing = LEAST_LENGTH - [...value].length;
  const text = strength === "short" ? words.short(missing) : words[strength];
  const bad = isRefused(strength) && tried;
  return (
    <div class="people-password">
      <HiddenLine
        {...properties}
        autocomplete="new-password"
        hint={value === "" ? words.advice : text}
        fault={bad ? text : undefined}
      />
      <div class="people-strength" data-strength={value === "" ? "" : strength} aria-hidden="true">
        {[1, 2, 3].map((level) => (
          <span key={level} class={value !== "" && LEVELS[strength] >= level ? "people-strength__on" : ""} />
        ))}
      </div>
    </div>
  );
}

/** Whether the hub would refuse it; a weak one is only advised against. */
export function isRefused(strength: Strength): boolean {
  return strength === "short" || strength === "long";
}

type AreaProperties = Omit<LineProperties, "autocomplete" | "name" | "focus"> & { readonly mono?: boolean };

export function TextArea(properties: AreaProperties): JSX.Element {
  const { label, value, onInput, fault, hint, mono = false, testId } = properties;
  const id = useId();
  const text = fault ?? hint;
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class={mono ? "field__input people-area people-area--mono" : "field__input people-area"}
        rows={mono ? 5 : 2}
        value={value}
        spellcheck={!mono}
        disabled={properties.disabled}
        placeholder={properties.placeholder}
        aria-invalid={fault !== undefined}
        aria-describedby={text === undefined ? undefined : `${id}-hint`}
        data-testid={testId}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {text !== undefined && (
        <span id={`${id}-hint`} class={fault === undefined ? "field__hint" : "field__hint field__hint--bad"}>
          {text}
        </span>
      )}
    </div>
  );
}

type RadioProperties = {
  readonly label: string;
  readonly group: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
};

export function Radio({ label, group, checked, onChoose }: RadioProperties): JSX.Element {
  return (
    <label class="checkbox">
      <input type="radio" name={group} checked={checked} onChange={onChoose} />
      <span>{label}</span>
    </label>
  );
}

/** What the hub refused, inside of a form. */
export function Refusal({ sentence }: { readonly sentence: Sentence | null }): JSX.Element | null {
  if (sentence === null) return null;
  return (
    <div class="people-refusal" role="alert">
      <Icon name="warning" />
      <div>
        <p>{sentence.message}</p>
        {sentence.hint !== "" && <p class="people-quiet">{sentence.hint}</p>}
      </div>
    </div>
  );
}
