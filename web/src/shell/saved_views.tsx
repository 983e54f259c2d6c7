// Dialogs to save the view under a name, and to list saved views.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatIso } from "../base/locale";
import { sheet } from "../state/layout";
import { dropView, keeping, keepView, loadViews, openView, type SavedView, savedViews } from "../state/saved_views";
import { tell } from "../state/toasts";
import { dateText, texts } from "../state/view";
import { Button } from "../widgets/button";
import { Dialog } from "../widgets/dialog";
import { TextField } from "../widgets/text_field";
import "./saved_views.css";
import { exportView, importView } from "./view_files";

function close(): void {
  sheet.value = null;
}

function tellFailure(failure: string | null): boolean {
  if (failure !== null) tell(failure, { kind: "error" });
  return failure === null;
}

export function SaveView(): JSX.Element {
  const words = texts.value.shell.share;
  const name = useSignal("");
  const description = useSignal("");
  const tried = useSignal(false);
  useEffect(() => void loadViews().then(tellFailure), []);
  const { writable, place } = keeping.value;
  const exists = savedViews.value?.some((one) => one.name === name.value.trim()) === true;
  const nameless = tried.value && name.value.trim() === "";
  const save = async (): Promise<void> => {
    tried.value = true;
    const wanted = name.value.trim();
    if (wanted === "") return;
    if (tellFailure(await keepView(wanted, description.value.trim()))) {
      close();
      tell(words.saved(wanted));
    }
  };
  const keep = <Button label={words.saveButton} kind="primary" title={words.saveButton} onClick={() => void save()} />;
  return (
    <Dialog
      title={words.saveTitle}
      testId="save-view"
      onClose={close}
      actions={
        <>
          <Button
            label={words.toFile}
            icon="download"
            title={words.toFile}
            onClick={() => {
              exportView();
              close();
            }}
          />
          {writable && keep}
        </>
      }
    >
      {writable ? (
        <div class="save-view">
          <TextField
            label={words.name}
            value={name.value}
            autoFocus
            invalid={nameless}
            hint={nameless ? words.needsName : exists ? words.replaces : undefined}
            onInput={(text) => {
              name.value = text;
            }}
            onEnter={() => void save()}
          />
          <TextField
            label={words.description}
            value={description.value}
            onInput={(text) => {
              description.value = text;
            }}
            onEnter={() => void save()}
          />
          {place !== "" && <p class="save-view__place">{words.keptIn(place)}</p>}
        </div>
      ) : (
        <p>{words.notKept}</p>
      )}
    </Dialog>
  );
}

export function SavedViews(): JSX.Element {
  const words = texts.value.shell.share;
  useEffect(() => void loadViews().then(tellFailure), []);
  const views = savedViews.value;
  return (
    <Dialog
      title={words.viewsTitle}
      testId="saved-views"
      onClose={close}
      actions={
        <>
          <Button
            label={words.fromFile}
            icon="upload"
            title={words.fromFile}
            onClick={() => {
              close();
              void importView();
            }}
          />
          <Button
            label={words.save}
            icon="save"
            title={words.save}
            onClick={() => {
              sheet.value = "save";
            }}
          />
        </>
      }
    >
      {views?.length === 0 && <p class="saved-views__none">{words.noViews}</p>}
      <ul class="saved-views">
        {views?.map((saved) => (
          <Row key={saved.name} saved={saved} />
        ))}
      </ul>
    </Dialog>
  );
}

function Row({ saved }: { readonly saved: SavedView }): JSX.Element {
  const words = texts.value.shell.share;
  const when = dateText(saved.saved, "minute") ?? "";
  const drop = async (): Promise<void> => {
    if (!tellFailure(await dropView(saved.name))) return;
    const restore = (): void => void keepView(saved.name, saved.description, saved.view).then(tellFailure);
    tell(words.deleted(saved.name), { action: { label: words.undo, run: restore } });
  };
  return (
    <li class="saved-views__row">
      <button
        type="button"
        class="saved-views__open"
        onClick={() => {
          close();
          openView(saved);
          tell(words.opened(saved.name));
        }}
      >
        <span class="saved-views__name">{saved.name}</span>
        <span class="saved-views__detail" title={formatIso(saved.saved) ?? undefined}>
          {saved.description || words.savedAt(when)}
        </span>
      </button>
      <Button icon="trash" kind="quiet" title={`${words.delete}: ${saved.name}`} onClick={() => void drop()} />
    </li>
  );
}
