// A search box with suggestions, a history, and errors marked below the text. The caller provides suggestions and
// errors. Arrow keys, Enter and Tab select; Esc first closes the list and then leaves the box; the text stays.

import { type Signal, useSignal } from "@preact/signals";
import { Fragment, type JSX, type RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import "./fields.css";
import "./filter_box.css";
import { Icon } from "./icons";
import { afterKey, CLOSED, type ListState } from "./list_keys";
import { Popover } from "./popover";
import { words } from "./words";

export type Suggestion = { readonly text: string; readonly detail?: string | undefined };
export type FilterError = {
  readonly message: string;
  readonly hint: string;
  readonly position: number | null;
  /** More typing could mend it: shown as a note, not as an error. */
  readonly unfinished?: boolean;
};

type Properties = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: FilterError | null | undefined;
  readonly suggestions?: readonly Suggestion[] | undefined;
  /** Called whenever the cursor moves, for suggestions that depend on its position. */
  readonly onCursor?: ((value: string, cursor: number) => void) | undefined;
  /** Inserts a suggestion into the text; by default it replaces the text. */
  readonly pick?:
    | ((suggestion: string, value: string, cursor: number) => { value: string; cursor: number })
    | undefined;
  /** Earlier texts, newest first; suggested while the box is empty. */
  readonly history?: readonly string[] | undefined;
  /** Suggested after the history while the box is empty. */
  readonly examples?: readonly Suggestion[] | undefined;
  readonly onEnter?: ((value: string) => void) | undefined;
  /** Shown at the right, such as "6 of 18". */
  readonly count?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly testId?: string | undefined;
};

// a combobox with its own list, not a <datalist>: types and linter only know the latter
const COMBOBOX = { role: "combobox", list: undefined } as const;

export function FilterBox(properties: Properties): JSX.Element {
  const { value, onChange, error = null, count } = properties;
  const box = useFilterBox(properties);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const wrong = error !== null && error.unfinished !== true;
  return (
    <div ref={frame} class={wrong ? "filter-box filter-box--wrong" : "filter-box"}>
      <div class="filter-box__row">
        <Icon name="search" />
        <Field {...properties} box={box} id={id} />
        {count !== undefined && <span class="filter-box__count">{count}</span>}
        {value !== "" && (
          <ClearButton
            onClick={() => {
              onChange("");
              box.input.current?.focus();
            }}
          />
        )}
      </div>
      {error !== null && <Mistake error={error} value={value} id={`${id}-error`} />}
      {/* below the error, which must stay readable */}
      {box.listed && frame.current !== null && <Suggestions box={box} anchor={frame.current} id={id} />}
    </div>
  );
}

const MOST_EARLIER = 8;

type Box = {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly state: Signal<ListState>;
  /** The options are from the history, or examples. */
  readonly earlier: boolean;
  /** Number of options from the history; examples follow. */
  readonly fromHistory: number;
  readonly offered: readonly Suggestion[];
  /** The list is visible. */
  readonly listed: boolean;
  readonly tellCursor: () => void;
  readonly choose: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
};

function useFilterBox(properties: Properties): Box {
  const { value, onChange, suggestions = [], onCursor, pick, onEnter } = properties;
  const history = (properties.history ?? []).slice(0, MOST_EARLIER);
  const input = useRef<HTMLInputElement>(null);
  const state = useSignal<ListState>(CLOSED);
  const earlier = value === "" && suggestions.length === 0;
  const known = new Set(history);
  const examples = (properties.examples ?? []).filter(({ text }) => !known.has(text));
  const offered: readonly Suggestion[] = earlier ? [...history.map((text) => ({ text })), ...examples] : suggestions;
  const tellCursor = (): void => {
    const field = input.current;
    if (field !== null) onCursor?.(field.value, field.selectionStart ?? field.value.length);
  };
  const choose = (text: string): void => {
    const field = input.current;
    if (field === null) return;
    const whole = { value: text, cursor: text.length };
    const next = earlier ? whole : (pick?.(text, value, field.selectionStart ?? value.length) ?? whole);
    onChange(next.value);
    state.value = { ...state.value, active: -1 };
    field.value = next.value;
    field.setSelectionRange(next.cursor, next.cursor);
    field.focus();
    tellCursor();
    if (earlier) state.value = { ...state.value, open: false };
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const outcome = afterKey(state.value, event.key, offered.length);
    const { request } = outcome;
    const chosen = offered[outcome.state.active];
    state.value = outcome.state;
    // browsers empty a search field on Esc
    if (request === "moved" || request === "choose" || request === "leave") event.preventDefault();
    if (request === "leave") event.stopPropagation();
    if (request === "choose" && chosen !== undefined) choose(chosen.text);
    else if (request === "enter") onEnter?.(value);
    else if (request === "leave") input.current?.blur();
  };
  const fromHistory = earlier ? history.length : 0;
  return {
    input,
    state,
    earlier,
    fromHistory,
    offered,
    listed: state.value.open && offered.length > 0,
    tellCursor,
    choose,
    onKey,
  };
}

type FieldProperties = Properties & { readonly box: Box; readonly id: string };

function Field(properties: FieldProperties): JSX.Element {
  const { box, id, label, value, onChange, error = null, placeholder, testId, history = [] } = properties;
  const { input, state, listed, tellCursor, onKey } = box;
  const { active } = state.value;
  const setOpen = (open: boolean): void => {
    state.value = { ...state.value, open };
  };
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a combobox, which has them
    <input
      ref={input}
      class="filter-box__input"
      type="search"
      {...COMBOBOX}
      placeholder={placeholder ?? label}
      aria-label={label}
      aria-expanded={listed}
      aria-controls={listed ? id : undefined}
      aria-activedescendant={listed && active >= 0 ? `${id}-${active}` : undefined}
      aria-autocomplete="list"
      aria-invalid={error !== null && error.unfinished !== true}
      aria-describedby={error === null ? undefined : `${id}-error`}
      title={label}
      value={value}
      spellcheck={false}
      autocomplete="off"
      data-testid={testId}
      onInput={(event) => {
        const { value: typed } = event.currentTarget;
        // an emptied field offers no examples: the list would cover what the filter has just brought back
        state.value = { open: typed !== "" || history.length > 0, active: -1 };
        onChange(typed);
        tellCursor();
      }}
      onFocus={() => {
        setOpen(true);
        tellCursor();
      }}
      onBlur={() => setOpen(false)}
      onClick={tellCursor}
      onKeyDown={onKey}
      onKeyUp={(event) => {
        if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") tellCursor();
      }}
    />
  );
}

function ClearButton({ onClick }: { readonly onClick: () => void }): JSX.Element {
  const { clear } = words.value;
  return (
    <button type="button" class="filter-box__clear" title={clear} aria-label={clear} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}

type SuggestionsProperties = { readonly box: Box; readonly anchor: HTMLElement; readonly id: string };

function Suggestions({ box, anchor, id }: SuggestionsProperties): JSX.Element {
  const { earlier, fromHistory, offered, state, choose } = box;
  return (
    <Popover
      id={id}
      anchor={anchor}
      label={earlier ? words.value.earlier : words.value.suggestions}
      role="listbox"
      keepFocus
      className="filter-box__list"
      onClose={() => {
        state.value = { ...state.value, open: false };
      }}
    >
      {offered.map((suggestion, position) => (
        <Fragment key={suggestion.text}>
          {earlier && position === 0 && fromHistory > 0 && <Heading text={words.value.earlier} />}
          {earlier && position === fromHistory && <Heading text={words.value.examples} />}
          <Option
            suggestion={suggestion}
            id={`${id}-${position}`}
            active={position === state.value.active}
            onChoose={() => choose(suggestion.text)}
          />
        </Fragment>
      ))}
    </Popover>
  );
}

function Heading({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="filter-box__heading" role="presentation">
      {text}
    </div>
  );
}

type OptionProperties = {
  readonly suggestion: Suggestion;
  readonly id: string;
  readonly active: boolean;
  readonly onChoose: () => void;
};

function Option({ suggestion, id, active, onChoose }: OptionProperties): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are pressed in the text field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the text field names the active option
    <div
      id={id}
      role="option"
      aria-selected={active}
      class="filter-box__option"
      // keeps the focus in the field
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span class="filter-box__text">{suggestion.text}</span>
      {suggestion.detail !== undefined && <span class="filter-box__detail">{suggestion.detail}</span>}
    </div>
  );
}

/** The text with the wrong word marked, and the error message. */
function Mistake({ error, value, id }: { readonly error: FilterError; readonly value: string; readonly id: string }) {
  const at = error.position;
  const token = at === null ? "" : (/^(?:\w+|[^\w\s]|\s)/.exec(value.slice(at))?.[0] ?? "");
  return (
    <div
      class={error.unfinished ? "filter-box__error filter-box__error--note" : "filter-box__error"}
      id={id}
      role="status"
    >
      {at !== null && (
        <code class="filter-box__place">
          {value.slice(0, at)}
          <mark>{token || "␣"}</mark>
          {value.slice(at + token.length)}
        </code>
      )}
      <span>{error.message}</span>
      {error.hint !== "" && <span class="filter-box__hint">{error.hint}</span>}
    </div>
  );
}
