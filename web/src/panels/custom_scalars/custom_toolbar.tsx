// The toolbar above the categories: filter, the tools of the time series page, and actions on the layout.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { SmoothingSlider } from "../../cards/charts/settings_form";
import { StepMark } from "../../cards/charts/step_mark";
import { XAxisChoice } from "../../cards/charts/x_axis_choice";
import { parseLayout } from "../../state/custom_layout";
import { customCards, layout, layoutRuns } from "../../state/custom_scalars";
import { sheet } from "../../state/layout";
import { anyZoom, resetAllZooms } from "../../state/scopes";
import { rememberTagFilter, tagFilterHistory } from "../../state/tag_filter";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { tell } from "../../state/toasts";
import { changeView, spoken, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, pickTextFile, saveFile } from "../../widgets/files";
import { FilterBox } from "../../widgets/filter_box";
import { Menu, type MenuItem } from "../../widgets/menu";
import { RenameDialog } from "./category_heading";
import "./custom_toolbar.css";
import { chartCount, filterError, openAll, shownCount } from "./layout_groups";

export function CustomToolbar(): JSX.Element {
  const words = spoken(customScalarsWords);
  const charts = texts.value.timeseries;
  return (
    <div class="custom-toolbar-place">
      <div class="custom-toolbar" role="toolbar" aria-label={words.title}>
        <div class="custom-toolbar__filter">
          <Filter />
        </div>
        <div class="custom-toolbar__x" title={charts.x}>
          <XAxisChoice bare testId="x-axis" />
        </div>
        <div class="custom-toolbar__smoothing">
          <span aria-hidden="true">{charts.smoothing}</span>
          <SmoothingSlider bare testId="smoothing" />
        </div>
        <Button
          icon="link"
          title={charts.linkZoom}
          pressed={view.value.linkZoom}
          testId="link-zoom"
          onClick={() => changeView({ linkZoom: !view.value.linkZoom })}
        />
        {view.value.steps !== null && <StepMark />}
        <NewCategory />
        <span class="custom-toolbar__end">
          {anyZoom() && <Button kind="quiet" icon="reset" title={charts.resetZooms} onClick={resetAllZooms} />}
          <Menu label={charts.more} testId="custom-menu" items={moreItems()} />
        </span>
      </div>
      {view.value.customLayout !== null && <OwnNote />}
    </div>
  );
}

function NewCategory(): JSX.Element {
  const words = spoken(customScalarsWords);
  const making = useSignal(false);
  const make = (open: boolean) => (): void => {
    making.value = open;
  };
  return (
    <>
      <Button
        icon="plus"
        label={words.newCategory}
        title={words.newCategory}
        testId="custom-new-category"
        onClick={make(true)}
      />
      {making.value && <RenameDialog category={null} title="" onClose={make(false)} />}
    </>
  );
}

function Filter(): JSX.Element {
  const words = spoken(customScalarsWords);
  const { tagFilter } = view.value;
  const error = filterError.value;
  return (
    <FilterBox
      label={words.filterHint}
      placeholder={words.filter}
      value={tagFilter}
      onChange={(text) => changeView({ tagFilter: text })}
      onEnter={rememberTagFilter}
      error={error === null ? null : { message: texts.value.timeseries.literal, hint: error, position: null }}
      suggestions={tagFilter === "" ? [] : suggestions(tagFilter)}
      history={tagFilterHistory.value}
      count={words.count(shownCount.value, chartCount.value)}
      testId="tag-filter"
    />
  );
}

const MOST_SUGGESTIONS = 25;

function suggestions(text: string): readonly { readonly text: string }[] {
  const wanted = text.toLowerCase();
  const titles = customCards.value.flat().map(({ title }) => title);
  return [...new Set(titles)]
    .filter((title) => title.toLowerCase().includes(wanted) && title !== text)
    .slice(0, MOST_SUGGESTIONS)
    .map((title) => ({ text: title }));
}

/** Says that the user has changed the layout, and offers to restore it. */
function OwnNote(): JSX.Element {
  const words = spoken(customScalarsWords);
  const back = layoutRuns.value.length > 0 ? words.asLogged : words.noneLogged;
  return (
    <div class="custom-toolbar__note" role="status" data-testid="custom-own">
      <span>{words.changed}</span>
      <Button
        kind="quiet"
        label={words.saveView}
        title={words.saveView}
        testId="custom-save-view"
        onClick={() => {
          sheet.value = "save";
        }}
      />
      <Button
        kind="quiet"
        label={back}
        title={back}
        testId="custom-as-logged"
        onClick={() => changeView({ customLayout: null })}
      />
    </div>
  );
}

function moreItems(): readonly MenuItem[] {
  const words = spoken(customScalarsWords);
  const charts = texts.value.timeseries;
  return [
    { label: charts.openAll, icon: "down", onSelect: () => openAll(true) },
    { label: charts.closeAll, icon: "up", onSelect: () => openAll(false) },
    { label: charts.resetZooms, icon: "reset", disabled: !anyZoom(), onSelect: resetAllZooms },
    "separator",
    { label: words.exportLayout, icon: "download", disabled: layout.value === null, onSelect: exportLayout },
    { label: words.importLayout, icon: "upload", onSelect: () => void importLayout() },
    ...(layoutRuns.value.length === 0 ? [] : (["separator", { heading: words.wroteIt(layoutRuns.value) }] as const)),
  ];
}

function exportLayout(): void {
  const text = `${JSON.stringify(layout.peek() ?? [], null, 2)}\n`;
  saveFile(fileName("custom_scalars", "json"), new Blob([text], { type: "application/json" }));
}

async function importLayout(): Promise<void> {
  const text = await pickTextFile(".json,application/json");
  if (text === null) return;
  const imported = parsed(text);
  if (imported === null || imported === undefined) tell(spoken(customScalarsWords).notALayout, { kind: "error" });
  else changeView({ customLayout: imported });
}

function parsed(text: string): ReturnType<typeof parseLayout> {
  try {
    return parseLayout(JSON.parse(text));
  } catch {
    return undefined;
  }
}
