// The toolbar above the cards of a kind, in one row: tag filter, step of all cards, mode of the kind, and the button
// "View" with all other settings.

import { useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { drawnRuns } from "../state/runs";
import {
  anyOwnStep,
  choosePageStep,
  dropOwnSteps,
  followMark,
  letGoOfMark,
  linkedStep,
  markedStep,
  placeOfStep,
} from "../state/step_choice";
import { stepsOf, type Wholes } from "../state/steps";
import { rememberTagFilter, suggestTags, tagFilterHistory } from "../state/tag_filter";
import { changeView, texts, view } from "../state/view";
import { Button } from "../widgets/button";
import { FilterBox } from "../widgets/filter_box";
import { Icon } from "../widgets/icons";
import { type KindModel, setAllOpen } from "./kind_model";
import "./kind_toolbar.css";
import { distinctSteps } from "./distinct_steps";
import { StepSlider } from "./step_slider";
import { ViewPopover } from "./view_popover";

type Properties = {
  readonly model: KindModel;
  readonly title: string;
  readonly stepSlider: boolean;
  /** Settings of the kind for the popover. */
  readonly options?: ComponentChildren;
  readonly children?: ComponentChildren;
};

export function KindToolbar({ model, title, stepSlider, options, children }: Properties): JSX.Element {
  return (
    <div class="kind-toolbar-place">
      <div class="kind-toolbar" role="toolbar" aria-label={title}>
        <TagFilter model={model} />
        {stepSlider && <PageStep model={model} />}
        {children}
        <span class="kind-toolbar__end">
          <ViewPopover>
            {options}
            <Sections model={model} />
          </ViewPopover>
        </span>
      </div>
      {stepSlider && <LinkNote />}
    </div>
  );
}

function Sections({ model }: { readonly model: KindModel }): JSX.Element {
  const words = texts.value.cards;
  return (
    <div class="view-popover__sections">
      <Button
        kind="quiet"
        icon="down"
        label={words.openAll}
        title={words.openAll}
        onClick={() => setAllOpen(model, true)}
      />
      <Button
        kind="quiet"
        icon="up"
        label={words.closeAll}
        title={words.closeAll}
        onClick={() => setAllOpen(model, false)}
      />
    </div>
  );
}

function TagFilter({ model }: { readonly model: KindModel }): JSX.Element {
  const words = texts.value.cards;
  const { tagFilter } = view.value;
  const error = model.filterError.value;
  const all = model.allTags.value;
  return (
    <div class="kind-toolbar__filter">
      <FilterBox
        label={words.filterTagsHint}
        placeholder={words.filterTags}
        value={tagFilter}
        onChange={(text) => changeView({ tagFilter: text })}
        onEnter={rememberTagFilter}
        error={error === null ? null : { message: words.literal, hint: error, position: null }}
        suggestions={tagFilter === "" ? [] : suggestTags(tagFilter, all).map((text) => ({ text }))}
        history={tagFilterHistory.value}
        count={words.tagCount(model.shownTags.value.length, all.length)}
        testId="tag-filter"
      />
    </div>
  );
}

/** One slider for all cards; it has the steps of every tag loaded so far. */
function PageStep({ model }: { readonly model: KindModel }): JSX.Element | null {
  const words = texts.value.cards;
  const steps = useComputed<Wholes>(() => {
    const found: Wholes[] = [];
    const drawn = new Set(drawnRuns.value);
    for (const tag of model.shownTags.value) {
      for (const [run, series] of stepsOf(model.from, tag).runs.value ?? [])
        if (drawn.has(run)) found.push(series.steps);
    }
    return distinctSteps(found);
  });
  const all = steps.value;
  const { stepAll } = view.value;
  const chosen = stepAll !== "" ? stepAll : linkedStep.value;
  const own = anyOwnStep(model.kind);
  if (all.length < 2 && stepAll === "" && !own) return null;
  return (
    <div class="kind-toolbar__step">
      <span class="kind-toolbar__label" aria-hidden="true">
        {words.step}
      </span>
      <StepSlider
        label={words.pageStep}
        steps={all}
        at={chosen === null ? all.length - 1 : placeOfStep(all, chosen)}
        newest={chosen === null}
        onChoose={(at) => choosePageStep(all[at] ?? null)}
        onFollow={stepAll === "" ? undefined : () => choosePageStep(null)}
        testId="page-step"
      />
      {own && (
        <Button
          kind="quiet"
          icon="reset"
          title={words.dropOwnSteps}
          testId="drop-own-steps"
          onClick={() => dropOwnSteps(model.kind)}
        />
      )}
    </div>
  );
}

/** Says that this page uses the step marked on the time series page, or offers to use it. */
function LinkNote(): JSX.Element | null {
  const words = texts.value.cards;
  const marked = markedStep.value;
  if (marked === null) return null;
  const linked = linkedStep.value !== null;
  return (
    <div class="kind-toolbar__note" role="status" data-testid="linked-step">
      <Icon name="link" />
      <span>{linked ? words.linked(marked) : words.notLinked(marked)}</span>
      {linked ? (
        <Button kind="quiet" label={words.letGo} title={words.letGo} testId="let-go" onClick={letGoOfMark} />
      ) : (
        <Button
          kind="quiet"
          label={words.followMark}
          title={words.followMark}
          testId="follow-mark"
          onClick={followMark}
        />
      )}
    </div>
  );
}
