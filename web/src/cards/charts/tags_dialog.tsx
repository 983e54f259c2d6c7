// Several tags in one chart: chosen from the list, by an expression, or both.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { compilePattern } from "../../base/pattern";
import { type Card, changeMade, makeCard, scalarTags, tagsOf } from "../../state/cards";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { TextField } from "../../widgets/text_field";
import { TagPicker } from "./tag_picker";
import "./tags_dialog.css";

/** `card`: the one to change, or whose tags a new one begins with; null for a new one. */
export function TagsDialog({
  card,
  onClose,
}: {
  readonly card: Card | null;
  readonly onClose: () => void;
}): JSX.Element {
  const words = texts.value.timeseries;
  const { troubles } = texts.value.patterns;
  const made = card?.made ?? null;
  const title = useSignal(made?.title ?? "");
  const tags = useSignal<readonly string[]>(made?.tags ?? card?.tags ?? []);
  const pattern = useSignal(made?.pattern ?? "");
  const compiled = compilePattern(pattern.value);
  const right = typeof compiled !== "string";
  const matching = pattern.value !== "" && right ? tagsOf({ tags: [], pattern: pattern.value }, scalarTags.value) : [];
  const toggle = (tag: string): void => {
    tags.value = tags.value.includes(tag) ? tags.value.filter((one) => one !== tag) : [...tags.value, tag];
  };
  const save = (): void => {
    const content = { title: title.value.trim(), tags: tags.value, pattern: pattern.value };
    if (made === null) makeCard(content.tags, content.pattern, content.title);
    else changeMade(made.id, content);
    onClose();
  };
  const possible = right && (tags.value.length > 0 || matching.length > 0);
  const action = made === null ? words.make : words.save;
  return (
    <Dialog
      title={made === null ? words.newTitle : words.editTitle}
      onClose={onClose}
      testId="tags-dialog"
      actions={
        <>
          <Button label={words.cancel} title={words.cancel} onClick={onClose} />
          <Button label={action} title={action} kind="primary" disabled={!possible} testId="tags-save" onClick={save} />
        </>
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
        <div>
          <span class="field__label">{words.chosenTags}</span>
          <div class="tags-dialog__chosen">
            {tags.value.length === 0 && <span class="tags-dialog__none">{words.noneChosen}</span>}
            {tags.value.map((tag) => (
              <span key={tag} class="tags-dialog__tag">
                <span>{tag}</span>
                <Button kind="quiet" icon="close" title={words.removeTag(tag)} onClick={() => toggle(tag)} />
              </span>
            ))}
          </div>
        </div>
        <TagPicker label={words.chosenTags} tags={scalarTags.value} chosen={tags.value} onChoose={toggle} />
        <TextField
          label={words.pattern}
          value={pattern.value}
          placeholder="loss$"
          invalid={!right}
          hint={right ? (pattern.value === "" ? undefined : words.patternMatches(matching.length)) : troubles[compiled]}
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
      </div>
    </Dialog>
  );
}
