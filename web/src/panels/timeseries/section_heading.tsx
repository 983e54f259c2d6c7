// Headings of the time series page: their titles, and the settings of a section.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { SettingsForm } from "../../cards/charts/settings_form";
import { SectionHeading } from "../../cards/section_heading";
import { type CardGroup, cardsBeside, setOpen } from "../../state/cards";
import { isOverridden, type Scope } from "../../state/scopes";
import { changeView, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";

export function titleOf(group: CardGroup): string {
  const words = texts.value.timeseries;
  if (group.kind === "pinned") return words.pinned;
  if (group.kind === "made") return words.made;
  return group.title === "" ? words.general : group.title;
}

export function ChartHeading({ group, topPx }: { readonly group: CardGroup; readonly topPx: number }): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <SectionHeading
      topPx={topPx}
      title={titleOf(group)}
      depth={group.depth}
      section={group.section}
      path={group.path}
      count={group.count}
      countTitle={cardsBeside.value === null ? words.cards(group.count) : words.mixed(group.count)}
      open={group.open}
      onToggle={() => setOpen(group, !group.open)}
    >
      {group.kind === "pinned" && (
        <Button kind="quiet" label={words.clearPins} title={words.clearPins} onClick={() => changeView({ pins: [] })} />
      )}
      {group.kind === "tags" && group.depth === 0 && <SectionSettings section={group.section} title={titleOf(group)} />}
    </SectionHeading>
  );
}

function SectionSettings({ section, title }: { readonly section: string; readonly title: string }): JSX.Element {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  const scope: Scope = { kind: "section", section };
  const own = isOverridden(scope);
  return (
    <span
      ref={place}
      class={own ? "section-heading__settings section-heading__settings--own" : "section-heading__settings"}
    >
      <Button
        kind="quiet"
        icon="settings"
        title={own ? words.hasSectionSettings : words.sectionSettings}
        pressed={own}
        onClick={() => {
          open.value = !open.value;
        }}
      />
      {open.value && place.current !== null && (
        <Popover
          anchor={place.current}
          label={words.forSection(title)}
          onClose={() => {
            open.value = false;
          }}
        >
          <SettingsForm scope={scope} title={words.forSection(title)} />
        </Popover>
      )}
    </span>
  );
}
