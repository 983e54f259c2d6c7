// The page of a kind: a toolbar, sections of cards, one card in full screen, and a message if the page is empty. The
// panel of the kind renders the content of a card.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { kinds } from "../state/board";
import type { KindCard } from "../state/card_keys";
import { followPresentTags } from "../state/present_tags";
import { allRuns, drawnRuns, tickAll } from "../state/runs";
import { splitTitle } from "../state/sections";
import { changeView, member, texts, view } from "../state/view";
import { Button } from "../widgets/button";
import type { MenuItem } from "../widgets/menu";
import { CardGrid, HEADING_PX, SUB_HEADING_PX } from "./card_grid";
import { Description } from "./card_header";
import { FullFrame } from "./full_frame";
import { CardInside, type KindCardProps, KindCardView } from "./kind_card";
import { type KindGroup, type KindModel, kindModel, toggleGroup } from "./kind_model";
import "./kind_page.css";
import { KindToolbar } from "./kind_toolbar";
import type { Group } from "./layout";
import { SectionHeading } from "./section_heading";

export type { KindCardProps } from "./kind_card";

export type KindPageProps = {
  /** Name of the page, used in card keys, in `[data-kind-card]` and for the open sections. */
  readonly kind: string;
  /** The kind whose tags are shown, if it differs: "histograms" for distributions. */
  readonly from?: string | undefined;
  readonly words: { readonly title: string };
  /** Selects the tags that have cards; default: all. Must be the same function on every render. */
  readonly tags?: ((all: readonly string[]) => readonly string[]) | undefined;
  /** Returns the displayed name of a tag; default: the tag. */
  readonly name?: ((tag: string) => string) | undefined;
  /** One card for each run of a tag, or one for all runs. */
  readonly per?: "run" | "tag" | undefined;
  /** Most used controls of the kind, after the tag filter and the step slider. They have to fit into one row. */
  readonly toolbar?: ComponentChildren;
  /** Other settings of the kind, in the popover "View". */
  readonly options?: ComponentChildren;
  /** False for kinds without a slider for all cards. */
  readonly stepSlider?: boolean | undefined;
  /** Renders the content of a card below its header. It is used as a component and may use hooks. */
  readonly card: (props: KindCardProps) => JSX.Element;
  readonly menu?: ((props: KindCardProps) => readonly MenuItem[]) | undefined;
  /** Height of a card with its header; default: the height chosen by the user. A row is as high as its highest card. */
  readonly height?: ((card: KindCard) => number) | undefined;
  readonly leastWidthPx?: number | undefined;
  /** Cards can be pinned; only the time series page has a section for pinned cards. */
  readonly pins?: boolean | undefined;
  /** Replaces the grid of cards if the kind has another layout. */
  readonly body?: ((model: KindModel) => JSX.Element) | undefined;
};

/** Cards of a kind on the time series page. */
export type CardsOfKind = Pick<KindPageProps, "kind" | "card" | "menu"> & {
  readonly title: () => string;
  /** Binds the keys of its cards; the returned function unbinds them. */
  readonly bindKeys?: (() => () => void) | undefined;
  /** Controls in the settings for all cards of the kind. */
  readonly settings: () => JSX.Element;
};

const cardHeight = member("cardHeight");

export function KindPage(page: KindPageProps): JSX.Element {
  const { kind, from = kind, per = "run", tags } = page;
  const model = useMemo(() => kindModel(kind, from, per, tags), [kind, from, per, tags]);
  useEffect(() => followPresentTags(from), [from]);
  const full = view.value.full === "" ? null : model.cardOf(view.value.full);
  return (
    <main class="kind-page" data-testid={`${kind}-page`}>
      <KindToolbar model={model} title={page.words.title} stepSlider={page.stepSlider !== false} options={page.options}>
        {page.toolbar}
      </KindToolbar>
      {full === null ? (
        <>
          <Notice model={model} />
          {page.body === undefined ? <Grid page={page} model={model} /> : page.body(model)}
        </>
      ) : (
        <FullFrame
          cardKey={full.key}
          title={full.tag}
          order={model.order}
          attributes={{ "data-kind-card": kind, "data-run-of": full.run }}
        >
          {(size) => <CardInside key={full.key} page={page} model={model} card={full} above="" size={size} full />}
        </FullFrame>
      )}
    </main>
  );
}

function Grid({ page, model }: { readonly page: KindPageProps; readonly model: KindModel }): JSX.Element {
  const { height } = page;
  const groups = (): readonly Group<KindGroup>[] =>
    model.groups.value.map((group) => ({
      key: group.key,
      of: group,
      headingPx: isOnlyNameless(group, model.groups.value) ? 0 : headingPx(group),
      cards: group.length,
      rowPx: height && ((start, end) => highest(group, start, end, height)),
    }));
  return (
    <CardGrid
      label={page.words.title}
      groups={groups}
      cardHeightPx={() => cardHeight.value}
      leastWidthPx={page.leastWidthPx}
      heading={(group, topPx) => <Heading page={page} model={model} group={group} topPx={topPx} />}
      card={(_, group, place) => <KindCardView page={page} model={model} group={group} place={place} cardKey={_} />}
      uncover={model.uncover}
    />
  );
}

/** True for an open section of tags without prefix, if there is no other section. */
function isOnlyNameless({ heading, title, open }: KindGroup, all: readonly KindGroup[]): boolean {
  return heading === "section" && title === "" && open && all.filter((one) => one.heading === "section").length === 1;
}

function headingPx({ heading, depth }: KindGroup): number {
  if (heading === "none") return 0;
  return heading === "section" && depth === 0 ? HEADING_PX : SUB_HEADING_PX;
}

function highest(group: KindGroup, from: number, to: number, height: (card: KindCard) => number): number {
  let most = 0;
  for (let at = from; at < to; at++) most = Math.max(most, height(group.cardAt(at)));
  return most;
}

type HeadingProps = {
  readonly page: KindPageProps;
  readonly model: KindModel;
  readonly group: KindGroup;
  readonly topPx: number;
};

function Heading({ page, model, group, topPx }: HeadingProps): JSX.Element {
  const words = texts.value.cards;
  const ofTag = group.heading === "tag";
  const name = ofTag ? splitTitle(page.name?.(group.tag) ?? group.tag, group.path).rest : group.title;
  const text = ofTag ? kinds.value[model.from]?.description[group.tag] : undefined;
  return (
    <SectionHeading
      topPx={topPx}
      title={/\S/.test(name) ? name : ofTag ? JSON.stringify(name) : words.general}
      depth={ofTag ? group.depth + 1 : group.depth}
      section={group.section}
      path={ofTag ? group.tag : group.path}
      count={group.count}
      countTitle={ofTag ? words.runs(group.count) : words.tags(group.count)}
      open={group.open}
      onToggle={() => toggleGroup(group, !group.open)}
    >
      {text !== undefined && <Description kind={model.from} told={[{ tag: group.tag, text }]} />}
    </SectionHeading>
  );
}

/** Message that says why the page is empty; null if it is not. */
function Notice({ model }: { readonly model: KindModel }): JSX.Element | null {
  const words = texts.value.cards;
  const filter = view.value.tagFilter;
  const { length } = model.allTags.value;
  if (length > 0 && model.shownTags.value.length === 0 && filter !== "") {
    return (
      <Empty title={words.noMatch(filter, length)}>
        <Button label={words.clearFilter} title={words.clearFilter} onClick={() => changeView({ tagFilter: "" })} />
      </Empty>
    );
  }
  if (allRuns.value.length > 0 && drawnRuns.value.length === 0) {
    return (
      <Empty title={words.noneDrawn} hint={words.noneDrawnHint}>
        <Button label={words.showAllRuns} title={words.showAllRuns} onClick={tickAll} />
      </Empty>
    );
  }
  if (length > 0 && model.shownTags.value.length === 0) {
    return (
      <Empty title={words.allEmpty}>
        <Button label={words.showAllRuns} title={words.showAllRuns} onClick={tickAll} />
      </Empty>
    );
  }
  return length === 0 ? <Empty title={words.noTags} hint={words.noTagsHint} /> : null;
}

type EmptyProps = { readonly title: string; readonly hint?: string; readonly children?: JSX.Element };

function Empty({ title, hint, children }: EmptyProps): JSX.Element {
  return (
    <div class="kind-page__notice" role="status">
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
