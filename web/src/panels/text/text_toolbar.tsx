// Toolbar of texts: the search in all texts; and their settings: formatted or as written.

import type { JSX } from "preact";
import * as textWords from "../../state/texts/text";
import { changeView, spoken, view } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { FilterBox } from "../../widgets/filter_box";
import "./text_toolbar.css";

const NOTHING: readonly never[] = [];

export function TextToolbar(): JSX.Element {
  const words = spoken(textWords);
  const { textSearch } = view.value;
  return (
    <div class="text-toolbar__search">
      <FilterBox
        label={words.searchHint}
        placeholder={words.search}
        value={textSearch}
        onChange={(text) => changeView({ textSearch: text })}
        error={null}
        suggestions={NOTHING}
        history={NOTHING}
        testId="text-search"
      />
    </div>
  );
}

export function TextOptions(): JSX.Element {
  const words = spoken(textWords);
  return (
    <Checkbox
      label={words.markdown}
      title={words.markdownHint}
      checked={view.value.textMarkdown}
      testId="text-markdown"
      onChange={(checked) => changeView({ textMarkdown: checked })}
    />
  );
}
