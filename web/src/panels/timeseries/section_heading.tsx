// The heading of a section or a sub-heading: opens and closes, counts, and has the settings of the section.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { type CardGroup, setOpen } from "../../state/cards";
import { isOverridden, type Scope } from "../../state/scopes";
import { changeView, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Popover } from "../../widgets/popover";
import "./section_heading.css";
import { SettingsForm } from "./settings_form";

export function titleOf(group: CardGroup): string {
  const words = texts.value.timeseries;
  if (group.kind === "pinned") return words.pinned;
  if (group.kind === "made") return words.made;
  return group.title === "" ? words.general : group.title;
}

export function SectionHeading({ group, topPx }: { readonly group: CardGroup; readonly topPx: number }): JSX.Element {
  const words = texts.value.timeseries;
  const Title = group.depth === 0 ? "h2" : "h3";
  return (
    <div
      class={`section-heading section-heading--${Math.min(group.depth, 3)}`}
      style={{ top: `${topPx}px` }}
      data-section={group.depth === 0 ? group.section : undefined}
      data-path={group.path}
    >
      <Title class="section-heading__title">
        <button
          type="button"
          class="section-heading__toggle"
          aria-expanded={group.open}
          onClick={() => setOpen(group, !group.open)}
        >
          <Icon name="chevron" />
          <span class="section-heading__name">{titleOf(group)}</span>
          <span class="section-heading__count" title={words.cards(group.count)}>
            {group.count}
          </span>
        </button>
      </Title>
      {group.kind === "pinned" && (
        <Button kind="quiet" label={words.clearPins} title={words.clearPins} onClick={() => changeView({ pins: [] })} />
      )}
      {group.kind === "tags" && group.depth === 0 && <SectionSettings section={group.section} title={titleOf(group)} />}
    </div>
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
