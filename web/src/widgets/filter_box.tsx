// A search box with suggestions, a history, and the place of a mistake marked below the text. What is suggested and what
// is a mistake is the owner's to say; arrows, Enter and Tab choose, Esc first closes the list and then empties the box.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import "./fields.css";
import "./filter_box.css";
import { Icon } from "./icons";
import { Popover } from "./popover";
import { words } from "./words";

export type Suggestion = { readonly text: string; readonly detail?: string | undefined };
export type FilterError = { readonly message: string; readonly hint: string; readonly position: number | null };

type Properties = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: FilterError | null | undefined;
  readonly suggestions?: readonly Suggestion[] | undefined;
  /** Told at every move of the cursor, for suggestions that depend on it. */
  readonly onCursor?: ((value: string, cursor: number) => void) | undefined;
  /** How a suggestion goes into the text; by default it takes its place. */
  readonly pick?:
    | ((suggestion: string, value: string, cursor: number) => { value: string; cursor: number })
    | undefined;
  /** Texts used before, newest first; offered while the box is empty. */
  readonly history?: readonly string[] | undefined;
  readonly onEnter?: ((value: string) => void) | undefined;
  /** At the right, such as "6 of 18". */
  readonly count?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly testId?: string | undefined;
};

// a field with a list of our own, not the browser's: types and linter only know the latter
const COMBOBOX = { role: "combobox", list: undefined } as const;

export function FilterBox(properties: Properties): JSX.Element {
  const { label, value, onChange, error = null, suggestions = [], onCursor, pick, history = [] } = properties;
  const { onEnter, count, placeholder, testId } = properties;
  const input = useRef<HTMLInputElement>(null);
  const open = useSignal(false);
  const active = useSignal(-1);
  const id = useId();
  const earlier = value === "" && suggestions.length === 0;
  const offered: readonly Suggestion[] = earlier ? history.map((text) => ({ text })) : suggestions;
  const listed = open.value && offered.length > 0;

  const tellCursor = (): void => {
    const box = input.current;
    if (box !== null) onCursor?.(box.value, box.selectionStart ?? box.value.length);
  };
  const choose = (text: string): void => {
    const box = input.current;
    if (box === null) return;
    const whole = { value: text, cursor: text.length };
    const next = earlier ? whole : (pick?.(text, value, box.selectionStart ?? value.length) ?? whole);
    onChange(next.value);
    active.value = -1;
    box.value = next.value;
    box.setSelectionRange(next.cursor, next.cursor);
    box.focus();
    tellCursor();
    if (earlier) open.value = false;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const chosen = listed ? offered[active.value] : undefined;
    if (listed && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const by = event.key === "ArrowDown" ? 1 : -1;
      active.value = (active.value + by + offered.length + (active.value < 0 && by < 0 ? 1 : 0)) % offered.length;
      event.preventDefault();
    } else if (event.key === "ArrowDown") open.value = true;
    else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) {
      event.preventDefault();
      choose(chosen.text);
    } else if (event.key === "Enter") {
      open.value = false;
      onEnter?.(value);
    } else if (event.key === "Escape" && !listed) {
      if (value !== "") onChange("");
      else input.current?.blur();
      event.stopPropagation();
    }
  };
  return (
    <div class={error === null ? "filter-box" : "filter-box filter-box--wrong"}>
      <div class="filter-box__row">
        <Icon name="search" />
        {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a combobox, which has them */}
        <input
          ref={input}
          class="filter-box__input"
          type="search"
          {...COMBOBOX}
          placeholder={placeholder ?? label}
          aria-label={label}
          aria-expanded={listed}
          aria-controls={listed ? id : undefined}
          aria-activedescendant={listed && active.value >= 0 ? `${id}-${active.value}` : undefined}
          aria-autocomplete="list"
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          title={label}
          value={value}
          spellcheck={false}
          autocomplete="off"
          data-testid={testId}
          onInput={(event) => {
            open.value = true;
            active.value = -1;
            onChange(event.currentTarget.value);
            tellCursor();
          }}
          onFocus={() => {
            open.value = true;
            tellCursor();
          }}
          onBlur={() => {
            open.value = false;
          }}
          onClick={tellCursor}
          onKeyDown={onKey}
          onKeyUp={(event) => {
            if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") tellCursor();
          }}
        />
        {count !== undefined && <span class="filter-box__count">{count}</span>}
        {value !== "" && (
          <button
            type="button"
            class="filter-box__clear"
            title={words.value.clear}
            aria-label={words.value.clear}
            onClick={() => {
              onChange("");
              input.current?.focus();
            }}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {error !== null && <Mistake error={error} value={value} id={`${id}-error`} />}
      {listed && input.current !== null && (
        <Popover
          id={id}
          anchor={input.current}
          label={earlier ? words.value.earlier : words.value.suggestions}
          role="listbox"
          keepFocus
          className="filter-box__list"
          onClose={() => {
            open.value = false;
          }}
        >
          {earlier && (
            <div class="filter-box__heading" role="presentation">
              {words.value.earlier}
            </div>
          )}
          {offered.map((suggestion, position) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are pressed in the text field, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the text field names the active option
            <div
              key={suggestion.text}
              id={`${id}-${position}`}
              role="option"
              aria-selected={position === active.value}
              class="filter-box__option"
              // the field must not lose the focus to the list
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion.text)}
            >
              <span class="filter-box__text">{suggestion.text}</span>
              {suggestion.detail !== undefined && <span class="filter-box__detail">{suggestion.detail}</span>}
            </div>
          ))}
        </Popover>
      )}
    </div>
  );
}

/** The text again with a mark where it went wrong, and why. */
function Mistake({ error, value, id }: { readonly error: FilterError; readonly value: string; readonly id: string }) {
  const at = error.position;
  return (
    <div class="filter-box__error" id={id} role="status">
      {at !== null && (
        <code class="filter-box__place">
          {value.slice(0, at)}
          <mark>{value.slice(at, at + 1) || "␣"}</mark>
          {value.slice(at + 1)}
        </code>
      )}
      <span>{error.message}</span>
      {error.hint !== "" && <span class="filter-box__hint">{error.hint}</span>}
    </div>
  );
}
