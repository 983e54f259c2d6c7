// One card of a kind: a header with the run or the tag, and below it the content of the panel, which is rendered once
// it is the card's turn (turns.ts) and its steps are known.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { kinds } from "../state/board";
import type { KindCard } from "../state/card_keys";
import { isPinned, togglePin } from "../state/cards";
import { colorOf, drawnRuns, shownName } from "../state/runs";
import { splitTitle } from "../state/sections";
import { type SeriesSteps, stepsOf, type TagSteps } from "../state/steps";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import { ErrorBoundary } from "../widgets/error_boundary";
import { Menu } from "../widgets/menu";
import { CardFrame, CardProblem } from "./card_frame";
import type { CardPlace } from "./card_grid";
import { Description, TitleWords } from "./card_header";
import { type FrameSize, openFull } from "./full_frame";
import "./kind_card.css";
import type { KindGroup, KindModel } from "./kind_model";
import type { KindPageProps } from "./kind_page";
import { RunName } from "./run_name";
import { isStill, takeTurn } from "./turns";

export type KindCardProps = {
  readonly card: KindCard;
  /** Points of the run; in a card for all runs: of the first drawn run that has the tag. Never empty. */
  readonly series: SeriesSteps;
  /** Points of every drawn run that has the tag, in natural order; in a card for one run only that run. */
  readonly all: TagSteps;
  /** Size of the content below the header. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** The card is in full screen. */
  readonly full: boolean;
  /** Distance of the card from the viewport. */
  readonly urgency: () => number;
};

export const HEADER_PX = 34;

/** Properties of the page that its cards use. */
type CardsPage = Pick<KindPageProps, "card" | "menu" | "name" | "pins">;

type ViewProps = {
  readonly page: CardsPage;
  readonly model: KindModel;
  readonly group: Pick<KindGroup, "path" | "heading">;
  readonly cardKey: string;
  readonly place: CardPlace;
};

export function KindCardView({ page, model, group, cardKey, place }: ViewProps): JSX.Element | null {
  const card = model.cardOf(cardKey);
  const top = useRef(place.topPx);
  top.current = place.topPx;
  if (card === null) return null;
  return (
    <CardFrame
      cardKey={card.key}
      title={card.tag}
      label={model.per === "tag" ? card.tag : `${card.tag}, ${shownName(card.run)}`}
      place={place}
      attributes={{ "data-kind-card": card.kind, "data-run-of": card.run }}
    >
      <CardInside
        page={page}
        model={model}
        card={card}
        above={group.path}
        hasTitle={group.heading !== "tag"}
        size={{ widthPx: place.widthPx - 2, heightPx: place.heightPx - 2 }}
        urgency={() => place.urgency(top.current)}
      />
    </CardFrame>
  );
}

type InsideProps = {
  readonly page: CardsPage;
  readonly model: KindModel;
  readonly card: KindCard;
  /** The part of the path that headings above show already. */
  readonly above: string;
  /** The header shows the tag, because no heading above does. */
  readonly hasTitle?: boolean;
  readonly size: FrameSize;
  readonly urgency?: () => number;
  readonly full?: boolean;
};

const NEAR = (): number => 0;

/** The content of a card, on the page and in full screen. */
export function CardInside(properties: InsideProps): JSX.Element {
  const { page, model, card, size, urgency = NEAR, full = false } = properties;
  const words = texts.value.cards;
  const turn = useTurn();
  const steps = useSteps(model, card.tag, turn);
  const held = steps.runs.value;
  const all = useMemo(
    () => (held === null ? null : ownOf(held, model.per, card.run)),
    [held, model.per, card.run, model.per === "tag" ? drawnRuns.value : null],
  );
  const first = all?.values().next().value;
  const problem = steps.problem.value;
  const ready: KindCardProps | null =
    turn && all !== null && first !== undefined
      ? { card, series: first, all, widthPx: size.widthPx, heightPx: size.heightPx - HEADER_PX, full, urgency }
      : null;
  const Content = page.card;
  return (
    <>
      <InsideHeader properties={properties} ready={ready} />
      <div class="kind-card__body">
        {ready !== null ? (
          <ErrorBoundary
            fallback={(error, retry) => <CardProblem title={words.broken} message={error.message} onRetry={retry} />}
          >
            <Content {...ready} />
          </ErrorBoundary>
        ) : problem !== null && held === null ? (
          <CardProblem title={words.failed} message={problem.message} onRetry={steps.retry} />
        ) : held !== null ? (
          <div class="card__message card__message--quiet">{words.noData}</div>
        ) : (
          <div class="kind-card__skeleton" />
        )}
      </div>
    </>
  );
}

/** Returns true once it is the card's turn to be drawn. */
function useTurn(): boolean {
  const turn = useSignal(false);
  useLayoutEffect(
    () =>
      takeTurn(() => {
        turn.value = true;
      }),
    [turn],
  );
  return turn.value;
}

/** Returns the steps of the card's tag; they are requested and updated from the card's turn on. */
function useSteps(model: KindModel, tag: string, turn: boolean): ReturnType<typeof stepsOf> {
  const steps = useMemo(() => stepsOf(model.from, tag), [model, tag]);
  // all cards of a page that just opened share one request, so they do not wait for their turn
  const asks = useMemo(isStill, []) || turn;
  useLayoutEffect(() => (asks ? steps.watch() : undefined), [steps, asks]);
  return steps;
}

type HeaderProps = {
  readonly properties: InsideProps;
  /** Null before the steps are known; the menu items of the panel need them. */
  readonly ready: KindCardProps | null;
};

function InsideHeader({ properties, ready }: HeaderProps): JSX.Element {
  const { page, model, card, above, hasTitle = true, full = false } = properties;
  const words = texts.value.cards;
  const text = hasTitle ? kinds.value[model.from]?.description[card.tag] : undefined;
  const items = ready === null ? [] : (page.menu?.(ready) ?? []);
  return (
    <header class="card-header kind-card__header">
      {model.per === "run" && <RunMark run={card.run} />}
      {hasTitle && (
        <div class="kind-card__tag" title={card.tag}>
          <TitleWords title={splitTitle(page.name?.(card.tag) ?? card.tag, above)} />
        </div>
      )}
      {model.per === "run" && (
        <span class={hasTitle ? "kind-card__run kind-card__run--quiet" : "kind-card__run"} title={card.run}>
          <RunName run={card.run} />
        </span>
      )}
      {text !== undefined && <Description kind={model.from} told={[{ tag: card.tag, text }]} />}
      <div class="card-header__buttons">
        {page.pins === true && <Pin cardKey={card.key} />}
        {!full && <Button kind="quiet" icon="full" title={words.full} onClick={() => openFull(card.key)} />}
        {items.length > 0 && <Menu label={words.menu} items={items} />}
      </div>
    </header>
  );
}

function Pin({ cardKey }: { readonly cardKey: string }): JSX.Element {
  const words = texts.value.timeseries;
  const pinned = isPinned(cardKey);
  return (
    <Button
      kind="quiet"
      icon="pin"
      title={pinned ? words.unpin : words.pin}
      pressed={pinned}
      onClick={() => togglePin(cardKey)}
    />
  );
}

function ownOf(held: TagSteps, per: "run" | "tag", run: string): TagSteps {
  const runs = per === "run" ? [run] : drawnRuns.peek();
  return new Map(
    runs.flatMap((one): readonly [string, SeriesSteps][] => {
      const series = held.get(one);
      return series === undefined || series.walls.length === 0 ? [] : [[one, series]];
    }),
  );
}

export function RunMark({ run }: { readonly run: string }): JSX.Element {
  return <span class="run-mark" style={{ background: colorOf.value(run) }} aria-hidden="true" />;
}
