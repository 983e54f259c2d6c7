// The toolbar above the sections: frequently used settings; the settings pane has the rest.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { SmoothingSlider } from "../../cards/charts/settings_form";
import { StepMark } from "../../cards/charts/step_mark";
import { TagsDialog } from "../../cards/charts/tags_dialog";
import { KINDS_BESIDE, offeredTags, pageTags, setAllOpen, tagFilterError } from "../../state/cards";
import { TIMESERIES_KINDS } from "../../state/members/timeseries";
import { anyZoom, resetAllZooms } from "../../state/scopes";
import { rememberTagFilter, suggestTags, tagFilterHistory } from "../../state/tag_filter";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { FilterBox } from "../../widgets/filter_box";
import { Menu, type MenuItem } from "../../widgets/menu";
import { Select } from "../../widgets/select";
import { kindsOfBoard } from "./beside";
import "./toolbar.css";
import { XAxisChoice } from "../../cards/charts/x_axis_choice";

export function Toolbar(): JSX.Element {
  const words = texts.value.timeseries;
  const making = useSignal(false);
  return (
    <div class="timeseries-toolbar" role="toolbar" aria-label={words.title}>
      <TagFilter />
      {kindsOfBoard.value.length > 0 && <Kinds />}
      <div class="timeseries-toolbar__x" title={words.x}>
        <XAxisChoice bare testId="x-axis" />
      </div>
      <div class="timeseries-toolbar__smoothing">
        <span aria-hidden="true">{words.smoothing}</span>
        <SmoothingSlider bare testId="smoothing" />
      </div>
      <Button
        icon="link"
        label={words.linkZoomShort}
        title={words.linkZoom}
        pressed={view.value.linkZoom}
        testId="link-zoom"
        onClick={() => changeView({ linkZoom: !view.value.linkZoom })}
      />
      {view.value.steps !== null && <StepMark />}
      <span class="timeseries-toolbar__end">
        {anyZoom() && <Button kind="quiet" icon="reset" title={words.resetZooms} onClick={resetAllZooms} />}
        <Menu
          label={words.more}
          testId="timeseries-menu"
          items={moreItems(() => {
            making.value = true;
          })}
        />
      </span>
      {making.value && (
        <TagsDialog
          card={null}
          onClose={() => {
            making.value = false;
          }}
        />
      )}
    </div>
  );
}

/** Selects which kinds have cards here. */
function Kinds(): JSX.Element {
  const words = texts.value.timeseries;
  const offered = TIMESERIES_KINDS.filter((kind) => !KINDS_BESIDE.includes(kind) || kindsOfBoard.value.includes(kind));
  const own: Readonly<Record<string, string>> = { all: words.allKinds, scalars: words.scalars };
  return (
    <div class="timeseries-toolbar__kinds" title={words.kindsHint}>
      <Select
        label={words.kinds}
        bare
        value={view.value.timeseriesKinds}
        options={offered.map((kind) => ({ value: kind, label: own[kind] ?? texts.value.shell.kinds[kind] ?? kind }))}
        testId="shown-kinds"
        onChange={(kind) => changeView({ timeseriesKinds: kind })}
      />
    </div>
  );
}

function TagFilter(): JSX.Element {
  const words = texts.value.timeseries;
  const { tagFilter } = view.value;
  const error = tagFilterError.value;
  return (
    <div class="timeseries-toolbar__filter">
      <FilterBox
        label={words.filterTagsHint}
        placeholder={words.filterTags}
        value={tagFilter}
        onChange={(text) => changeView({ tagFilter: text })}
        onEnter={rememberTagFilter}
        error={error === null ? null : { message: words.literal, hint: error, position: null }}
        suggestions={tagFilter === "" ? [] : suggestTags(tagFilter, offeredTags.value).map((text) => ({ text }))}
        history={tagFilterHistory.value}
        count={words.tagCount(pageTags.value.length, offeredTags.value.length)}
        testId="tag-filter"
      />
    </div>
  );
}

function moreItems(make: () => void): readonly MenuItem[] {
  const words = texts.value.timeseries;
  const hidden = view.value.hiddenCards.length;
  return [
    { label: words.newChart, icon: "plus", onSelect: make },
    "separator",
    { label: words.openAll, icon: "down", onSelect: () => setAllOpen(true) },
    { label: words.closeAll, icon: "up", onSelect: () => setAllOpen(false) },
    { label: words.resetZooms, icon: "reset", disabled: !anyZoom(), onSelect: resetAllZooms },
    ...(hidden === 0
      ? []
      : [{ label: words.showHidden(hidden), icon: "eye", onSelect: () => changeView({ hiddenCards: [] }) } as const]),
  ];
}
