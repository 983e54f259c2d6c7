// A list of tags to choose from, with a search field.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tagFilter } from "../../state/tag_filter";
import { texts } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { TextField } from "../../widgets/text_field";
import "./tag_picker.css";

type Properties = {
  readonly label: string;
  readonly tags: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (tag: string) => void;
};

// users search longer lists instead of reading them
const MOST_LISTED = 200;

export function TagPicker({ label, tags, chosen, onChoose }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const typed = useSignal("");
  const { matches } = tagFilter(typed.value);
  const found: string[] = [];
  for (const tag of tags) {
    if (matches(tag)) found.push(tag);
    if (found.length > MOST_LISTED) break;
  }
  const picked = new Set(chosen);
  return (
    <div class="tag-picker">
      <TextField
        label={words.search}
        value={typed.value}
        bare
        placeholder={words.search}
        testId="tag-picker"
        onInput={(text) => {
          typed.value = text;
        }}
        onEnter={() => {
          const [first] = found;
          if (first !== undefined) onChoose(first);
        }}
      />
      <div class="tag-picker__list" role="listbox" aria-label={label} aria-multiselectable="true">
        {found.slice(0, MOST_LISTED).map((tag) => (
          <button
            key={tag}
            type="button"
            role="option"
            aria-selected={picked.has(tag)}
            class="tag-picker__tag"
            title={tag}
            onClick={() => onChoose(tag)}
          >
            <span class="tag-picker__mark">{picked.has(tag) && <Icon name="check" />}</span>
            <span class="tag-picker__name">{tag}</span>
          </button>
        ))}
      </div>
      {found.length > MOST_LISTED && <span class="tag-picker__note">{words.tooMany(MOST_LISTED)}</span>}
    </div>
  );
}
