// Dialog for a chart of several tags and metric expressions; tags are chosen from the list or by a regular expression.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { expressionTitle } from "../../base/expression";
import { compilePattern } from "../../base/pattern";
import { type Card, changeMade, makeCard, scalarTags, tagsOf } from "../../state/cards";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { TextField } from "../../widgets/text_field";
import { ExpressionField } from "./expression_field";
import { TagPicker } from "./tag_picker";
import "./tags_dialog.css";

type Properties = {
  /** The card to change, or whose tags a new card starts with; null: a new, empty card. */
  readonly card: Card | null;
  readonly onClose: () => void;
};

export function TagsDialog({ card, onClose }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const made = card?.made ?? null;
  const title = useSignal(made?.title ?? "");
  const tags = useSignal<readonly string[]>(made?.tags ?? card?.tags ?? []);
  const pattern = useSignal(made?.pattern ?? "");
  const typed = useSignal<string | null>(null);
  const compiled = compilePattern(pattern.value);
  const trouble = typeof compiled === "string" ? texts.value.patterns.troubles[compiled] : null;
  const matching =
    pattern.value !== "" && trouble === null ? tagsOf({ tags: [], pattern: pattern.value }, scalarTags.value) : [];
  const toggle = (tag: string): void => {
    tags.value = tags.value.includes(tag) ? tags.value.filter((one) => one !== tag) : [...tags.value, tag];
  };
  const save = (): void => {
    const all = typed.value === null ? tags.value : [...new Set([...tags.value, typed.value])];
    const content = { title: title.value.trim(), tags: all, pattern: pattern.value };
    if (made === null) makeCard(content.tags, content.pattern, content.title);
    else changeMade(made.id, content);
    onClose();
  };
  const possible = trouble === null && (tags.value.length > 0 || matching.length > 0 || typed.value !== null);
  return (
    <Dialog
      title={made === null ? words.newTitle : words.editTitle}
      onClose={onClose}
      testId="tags-dialog"
      actions={
        <Actions label={made === null ? words.make : words.save} onClose={onClose} onSave={possible ? save : null} />
      }
    >
      <div class="tags-dialog">
        <TextField
          label={words.chartTitle}
          value={title.value}
          hint={words.titleHint}
          testId="tags-title"
          onInput={(text) => {
            title.value = text;
          }}
        />
        <ChosenTags tags={tags.value} onRemove={toggle} />
        <TagPicker label={words.chosenTags} tags={scalarTags.value} chosen={tags.value} onChoose={toggle} />
        <ExpressionField
          onValid={(tag) => {
            typed.value = tag;
          }}
          onAdd={(tag) => {
            if (!tags.value.includes(tag)) toggle(tag);
          }}
        />
        <PatternField pattern={pattern} trouble={trouble} matching={matching} />
      </div>
    </Dialog>
  );
}

type ActionsProps = {
  readonly label: string;
  readonly onClose: () => void;
  /** Null: there is nothing to save. */
  readonly onSave: (() => void) | null;
};

function Actions({ label, onClose, onSave }: ActionsProps): JSX.Element {
  const { cancel } = texts.value.timeseries;
  return (
    <>
      <Button label={cancel} title={cancel} onClick={onClose} />
      <Button
        label={label}
        title={label}
        kind="primary"
        disabled={onSave === null}
        testId="tags-save"
        onClick={() => onSave?.()}
      />
    </>
  );
}

type ChosenProps = { readonly tags: readonly string[]; readonly onRemove: (tag: string) => void };

function ChosenTags({ tags, onRemove }: ChosenProps): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <div>
      <span class="field__label">{words.chosenTags}</span>
      <div class="tags-dialog__chosen">
        {tags.length === 0 && <span class="tags-dialog__none">{words.noneChosen}</span>}
        {tags.map((tag) => (
          <span key={tag} class="tags-dialog__tag">
            <span title={tag}>{expressionTitle(tag)}</span>
            <Button kind="quiet" icon="close" title={words.removeTag(tag)} onClick={() => onRemove(tag)} />
          </span>
        ))}
      </div>
    </div>
  );
}

type PatternProps = {
  readonly pattern: Signal<string>;
  /** Error message for the pattern; null if it is valid. */
  readonly trouble: string | null;
  readonly matching: readonly string[];
};

function PatternField({ pattern, trouble, matching }: PatternProps): JSX.Element {
  const words = texts.value.timeseries;
  const matches = pattern.value === "" ? undefined : words.patternMatches(matching.length);
  return (
    <>
      <TextField
        label={words.pattern}
        value={pattern.value}
        placeholder="loss$"
        invalid={trouble !== null}
        hint={trouble ?? matches}
        testId="tags-pattern"
        onInput={(text) => {
          pattern.value = text;
        }}
      />
      {matching.length > 0 && (
        <p class="tags-dialog__matching">
          {matching.slice(0, 12).join(" · ")}
          {matching.length > 12 && " …"}
        </p>
      )}
    </>
  );
}
