// The heading of a section or sub-section, which opens and closes it, with a count. Pages add controls after it.

import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../widgets/icons";
import "./section_heading.css";

type Properties = {
  readonly topPx: number;
  readonly title: string;
  /** 0 for a section. */
  readonly depth: number;
  /** Name of the section, if this is the heading of a section. */
  readonly section: string;
  readonly path: string;
  readonly count: number;
  readonly countTitle: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children?: ComponentChildren;
};

export function SectionHeading(properties: Properties): JSX.Element {
  const { topPx, title, depth, section, path, count, countTitle, open, onToggle, children } = properties;
  const Title = depth === 0 ? "h2" : "h3";
  return (
    <div
      class={`section-heading section-heading--${Math.min(depth, 3)}`}
      style={{ top: `${topPx}px` }}
      data-section={depth === 0 ? section : undefined}
      data-path={path}
    >
      <Title class="section-heading__title">
        <button type="button" class="section-heading__toggle" aria-expanded={open} onClick={onToggle}>
          <Icon name="chevron" />
          <span class="section-heading__name">{title}</span>
          <span class="section-heading__count" title={countTitle}>
            {count}
          </span>
        </button>
      </Title>
      {children}
    </div>
  );
}
