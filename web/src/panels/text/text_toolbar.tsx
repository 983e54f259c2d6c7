// Toolbar of texts: formatted or as written, and the search in all texts.

import type { JSX } from "preact";
import * as textWords from "../../state/texts/text";
import { changeView, spoken, view } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { FilterBox } from "../../widgets/filter_box";
import "./text_toolbar.css";

const NOTHING: readonly never[] = [];

export function TextToolbar(): JSX.Element {
  const words = spoken(textWords);
  const { textMarkdown, textSearch } = view.value;
  return (
    <>
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
      <Checkbox
        label={words.markdown}
        title={words.markdownHint}
        checked={textMarkdown}
        testId="text-markdown"
        onChange={(checked) => changeView({ textMarkdown: checked })}
      />
    </>
  );
}
