// The way back from the page of a run or a comparison to all runs.

import type { JSX } from "preact";
import { currentLink, texts } from "../../state/view";

export function Breadcrumb(): JSX.Element {
  const t = texts.value.runs;
  return (
    <nav class="run-page__crumbs" aria-label={t.breadcrumb}>
      <a href={currentLink({ page: "runs", of: [], runTab: "overview" })}>{t.runs}</a>
      <span aria-hidden="true">›</span>
    </nav>
  );
}
