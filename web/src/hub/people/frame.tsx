// The frame of a page: title, actions, tabs in the address (`?tab=`), and sections below.

import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Tab, Tabs } from "../../widgets/tabs";
import { address, go } from "../router";
import "./people.css";

type Properties = {
  readonly page: string;
  readonly title: string;
  /** Beside the title: an id, badges. */
  readonly beside?: ComponentChildren;
  readonly intro?: string | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

export function Frame({ page, title, beside, intro, actions, children }: Properties): JSX.Element {
  useEffect(() => {
    document.title = `${title} – Lightboard`;
    return () => {
      document.title = "Lightboard";
    };
  }, [title]);
  return (
    <main class="people" data-page={page}>
      <div class="people__inner">
        <header class="people__header">
          <h1>{title}</h1>
          {beside}
          <div class="people__actions">{actions}</div>
        </header>
        {intro !== undefined && intro !== "" && <p class="people__intro">{intro}</p>}
        {children}
      </div>
    </main>
  );
}

/** Returns the tab in the address; the first one if the address names none or an unknown one. */
export function currentTab<K extends string>(keys: readonly [K, ...K[]]): K {
  return keys.find((key) => key === address.value.query.tab) ?? keys[0];
}

type TabbedProperties<K extends string> = {
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly selected: K;
  readonly children: ComponentChildren;
};

export function Tabbed<K extends string>({ label, tabs, selected, children }: TabbedProperties<K>): JSX.Element {
  const select = (tab: K): void => go(address.peek().path, { tab: tab === tabs[0]?.key ? "" : tab });
  const title = tabs.find(({ key }) => key === selected)?.label;
  return (
    <>
      <Tabs label={label} tabs={tabs} selected={selected} onSelect={select} />
      <div class="people__panel" role="tabpanel" aria-label={title} data-panel={selected} key={selected}>
        {children}
      </div>
    </>
  );
}

type SectionProperties = {
  readonly title: string;
  readonly text?: string | undefined;
  readonly tone?: "plain" | "bad";
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly testId?: string;
};

export function Section({ title, text, tone = "plain", actions, children, testId }: SectionProperties): JSX.Element {
  return (
    <section class={`people-section people-section--${tone}`} aria-label={title} data-testid={testId}>
      <header class="people-section__header">
        <h2>{title}</h2>
        {actions}
      </header>
      {text !== undefined && <p class="people-section__text">{text}</p>}
      {children}
    </section>
  );
}

type Tone = "plain" | "good" | "warn" | "bad" | "accent";

/** A word in a small frame: a role, "Personal", "Disabled". */
export function Badge({
  text,
  tone = "plain",
  title,
}: {
  readonly text: string;
  readonly tone?: Tone;
  readonly title?: string | undefined;
}): JSX.Element {
  return (
    <span class={`people-badge people-badge--${tone}`} title={title}>
      {text}
    </span>
  );
}

/** The tone of a state of boards. */
export function toneOf(state: string): Tone {
  if (state === "Running") return "good";
  if (state === "Idle") return "warn";
  if (state === "Failed") return "bad";
  return state === "Starting" || state === "Pending" ? "accent" : "plain";
}
