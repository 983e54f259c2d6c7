// Bookmarked views: kept while the page is open, saved as a file, or loaded from the run.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import {
  addBookmark,
  type Bookmark,
  bookmarks,
  bookmarksFile,
  openBookmark,
  parseBookmarks,
  putBookmarks,
  removeBookmark,
  renameBookmark,
} from "../../state/projector_bookmarks";
import * as projectorWords from "../../state/texts/projector";
import { tell } from "../../state/toasts";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { pickTextFile, saveFile } from "../../widgets/files";

export function BookmarksPane(): JSX.Element {
  const words = spoken(projectorWords);
  const all = bookmarks.value;
  return (
    <details class="projector-pane projector-pane--bookmarks" data-testid="projector-bookmarks">
      <summary>
        {words.bookmarks}
        {all.length > 0 && <span class="projector-pane__count">{all.length}</span>}
      </summary>
      <div class="projector-pane__inside">
        {all.length === 0 && <p class="projector-pane__hint">{words.bookmarksHint}</p>}
        {all.length > 0 && (
          <ul class="projector-bookmarks">
            {all.map((one) => (
              <Entry key={one.id} bookmark={one} />
            ))}
          </ul>
        )}
        <div class="projector-inspector__actions">
          <Button
            icon="plus"
            label={words.addBookmark}
            title={words.bookmarksHint}
            testId="projector-add-bookmark"
            onClick={() => addBookmark(words.bookmarkName(all.length + 1))}
          />
          <Button
            icon="upload"
            title={words.loadBookmarks}
            testId="projector-load-bookmarks"
            onClick={() => void load()}
          />
          <Button
            icon="download"
            title={words.saveBookmarks}
            disabled={all.length === 0}
            testId="projector-save-bookmarks"
            onClick={() => saveFile("bookmarks.json", new Blob([bookmarksFile()], { type: "application/json" }))}
          />
        </div>
      </div>
    </details>
  );
}

async function load(): Promise<void> {
  const words = spoken(projectorWords);
  const text = await pickTextFile(".json,.txt");
  if (text === null) return;
  const parsed = parseBookmarks(text);
  if (parsed === null) tell(`${words.badBookmarks}. ${words.badBookmarksHint}`, { kind: "error" });
  else putBookmarks(parsed);
}

function Entry({ bookmark }: { readonly bookmark: Bookmark }): JSX.Element {
  const words = spoken(projectorWords);
  const renaming = useSignal(false);
  return (
    <li>
      {renaming.value ? (
        <input
          class="field__input"
          aria-label={words.bookmarkLabel}
          value={bookmark.label}
          // biome-ignore lint/a11y/noAutofocus: it was asked for by a press
          autoFocus
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.isComposing) event.currentTarget.blur();
          }}
          onBlur={(event) => {
            renaming.value = false;
            renameBookmark(bookmark.id, event.currentTarget.value);
          }}
        />
      ) : (
        <button
          type="button"
          class="projector-row"
          title={words.openBookmark}
          data-testid="projector-bookmark"
          onClick={() => openBookmark(bookmark)}
        >
          <span class="projector-row__name" dir="auto">
            {bookmark.label === "" ? words.unnamed : bookmark.label}
          </span>
          {bookmark.preloaded && <span class="projector-row__distance">{words.preloaded}</span>}
        </button>
      )}
      <Button
        kind="quiet"
        icon="edit"
        title={words.bookmarkLabel}
        onClick={() => {
          renaming.value = true;
        }}
      />
      <Button kind="quiet" icon="close" title={words.removeBookmark} onClick={() => removeBookmark(bookmark.id)} />
    </li>
  );
}
