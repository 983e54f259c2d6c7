// Images as a table: one row per tag, one column per run, all at the step of the page. Only cells near the viewport are
// rendered.

import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { openFull } from "../../cards/full_frame";
import { hoveredCard } from "../../cards/hovered_card";
import { RunMark } from "../../cards/kind_card";
import type { KindModel } from "../../cards/kind_model";
import { RunName } from "../../cards/run_name";
import { SampleChoice } from "../../cards/sample_choice";
import { formatStep } from "../../cards/step_slider";
import { noteScroll, takeTurn } from "../../cards/turns";
import { type KindCard, kindCard } from "../../state/card_keys";
import { drawnRuns, shownName } from "../../state/runs";
import { choiceOf, sampleOfCard } from "../../state/step_choice";
import { type SeriesSteps, stepsOf, type TagSteps } from "../../state/steps";
import * as imagesWords from "../../state/texts/images";
import { member, spoken, texts } from "../../state/view";
import { useObservedSize } from "../../widgets/observed_size";
import { columnsOf, inSight } from "./grid_layout";
import { wantedAt } from "./image_card";
import { useLoadedPicture } from "./loaded_picture";
import { Overlays } from "./overlays";
import { Picture } from "./picture";
import { usePictureFacts, useTagFacts } from "./picture_facts";
import { PictureFrame } from "./picture_frame";
import "./picture_grid.css";
import { PictureProblem } from "./picture_problem";
import { zoomOf } from "./zoom_choice";

const LABEL_PX = 148;
const HEAD_PX = 34;
const GAP_PX = 6;
const STEP_PX = 20;
const NEAR_PX = 400;

const cell = member("imagesCell");
const shows = member("imagesOverlays");

export function PictureGrid({ model }: { readonly model: KindModel }): JSX.Element {
  const words = spoken(imagesWords);
  const frame = useRef<HTMLElement>(null);
  const scroll = useSignal({ leftPx: 0, topPx: 0 });
  const size = useSignal({ widthPx: 0, heightPx: 0 });
  useObservedSize(frame, ({ clientWidth, clientHeight }) => {
    size.value = { widthPx: clientWidth, heightPx: clientHeight };
  });
  const tags = model.shownTags.value;
  const runs = useColumns(model);
  const cellPx = cell.value;
  const [stepX, stepY] = [cellPx + GAP_PX, cellPx + STEP_PX + GAP_PX];
  const { widthPx, heightPx } = size.value;
  const rows = inSight(tags.length, stepY, scroll.value.topPx, heightPx - HEAD_PX, NEAR_PX);
  const across = inSight(runs.length, stepX, scroll.value.leftPx, widthPx - LABEL_PX, NEAR_PX);
  const shownRuns = runs.slice(across.from, across.to);
  const shownTags = heightPx > 0 ? tags.slice(rows.from, rows.to) : [];
  const page = { width: `${LABEL_PX + runs.length * stepX}px`, height: `${HEAD_PX + tags.length * stepY}px` };
  return (
    <section
      class="picture-grid"
      ref={frame}
      data-testid="picture-grid"
      // scrolls with the keyboard
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      aria-label={words.gridHint}
      onScroll={(event) => {
        const { scrollLeft, scrollTop } = event.currentTarget;
        scroll.value = { leftPx: scrollLeft, topPx: scrollTop };
        noteScroll(scrollTop);
      }}
    >
      <div class="picture-grid__page" style={page}>
        <Head runs={shownRuns} first={across.from} cellPx={cellPx} />
        {shownTags.map((tag, at) => (
          <Row
            key={tag}
            model={model}
            tag={tag}
            topPx={HEAD_PX + (rows.from + at) * stepY}
            cellPx={cellPx}
            runs={shownRuns}
            first={across.from}
          />
        ))}
      </div>
    </section>
  );
}

/** Returns the runs that have an image of any tag. */
function useColumns(model: KindModel): readonly string[] {
  return useComputed(() =>
    columnsOf(
      drawnRuns.value,
      model.shownTags.value.map((tag) => stepsOf(model.from, tag).runs.value),
    ),
  ).value;
}

/** The row of run names. */
function Head({ runs, first, cellPx }: Pick<RowProps, "runs" | "first" | "cellPx">): JSX.Element {
  return (
    <div class="picture-grid__head" style={{ height: `${HEAD_PX}px` }}>
      <div class="picture-grid__corner" style={{ width: `${LABEL_PX}px` }} />
      {runs.map((run, at) => (
        <div
          class="picture-grid__run"
          key={run}
          title={run}
          style={{ left: `${LABEL_PX + (first + at) * (cellPx + GAP_PX)}px`, width: `${cellPx}px` }}
        >
          <RunMark run={run} />
          <RunName run={run} />
        </div>
      ))}
    </div>
  );
}

type RowProps = {
  readonly model: KindModel;
  readonly tag: string;
  readonly topPx: number;
  readonly cellPx: number;
  readonly runs: readonly string[];
  /** Column index of the first run. */
  readonly first: number;
};

function Row({ model, tag, topPx, cellPx, runs, first }: RowProps): JSX.Element {
  const steps = useMemo(() => stepsOf(model.from, tag), [model, tag]);
  useEffect(() => steps.watch(), [steps]);
  const held = steps.runs.value;
  // key without a run: samples are chosen for the whole row
  const row = kindCard(model.kind, tag, "");
  const most = mostSamples(held);
  const sample = sampleOfCard(row.key, most);
  return (
    <div class="picture-grid__row" style={{ top: `${topPx}px`, height: `${cellPx + STEP_PX + GAP_PX}px` }}>
      <div class="picture-grid__label" style={{ width: `${LABEL_PX}px` }}>
        <h3 class="picture-grid__tag" title={tag}>
          {/\S/.test(tag) ? tag : JSON.stringify(tag)}
        </h3>
        <SampleChoice card={row} at={sample} count={most} />
      </div>
      {runs.map((run, at) => (
        <Cell
          key={run}
          card={kindCard(model.kind, tag, run)}
          series={held?.get(run)}
          known={held !== null}
          sample={sample}
          leftPx={LABEL_PX + (first + at) * (cellPx + GAP_PX)}
          cellPx={cellPx}
        />
      ))}
      {steps.problem.value !== null && held === null && (
        <button type="button" class="picture-grid__problem" onClick={steps.retry}>
          {steps.problem.value.message} · {texts.value.cards.retry}
        </button>
      )}
    </div>
  );
}

function mostSamples(held: TagSteps | null): number {
  let most = 0;
  for (const { samples } of held?.values() ?? []) most = Math.max(most, samples);
  return most;
}

type CellProps = {
  readonly card: KindCard;
  readonly series: SeriesSteps | undefined;
  readonly known: boolean;
  readonly sample: number;
  readonly leftPx: number;
  readonly cellPx: number;
};

function Cell({ card, series, known, sample, leftPx, cellPx }: CellProps): JSX.Element {
  const words = spoken(imagesWords);
  const turn = useSignal(false);
  useLayoutEffect(
    () =>
      takeTurn(() => {
        turn.value = true;
      }),
    [turn],
  );
  const empty = series === undefined || series.walls.length === 0;
  return (
    <article
      class={empty && known ? "picture-cell picture-cell--empty" : "picture-cell"}
      style={{ left: `${leftPx}px`, width: `${cellPx}px` }}
      data-kind-card={card.kind}
      data-card={card.tag}
      data-run-of={card.run}
      data-key={card.key}
      aria-label={`${card.tag}, ${shownName(card.run)}`}
      onPointerEnter={() => {
        hoveredCard.value = card.key;
      }}
      onPointerLeave={() => {
        if (hoveredCard.peek() === card.key) hoveredCard.value = null;
      }}
    >
      {!empty && turn.value ? (
        <Inside card={card} series={series} sample={sample} cellPx={cellPx} />
      ) : empty && known ? (
        <span class="picture-cell__none">{words.noPicture}</span>
      ) : null}
    </article>
  );
}

type InsideProps = {
  readonly card: KindCard;
  readonly series: SeriesSteps;
  readonly sample: number;
  readonly cellPx: number;
};

function Inside({ card, series, sample, cellPx }: InsideProps): JSX.Element {
  const words = spoken(imagesWords);
  // cards have no own step here: all columns must show the same step
  const choice = choiceOf("", series.steps);
  const wanted = wantedAt(card, series, choice.at, sample, zoomOf(card.key) === null ? cellPx : undefined);
  const picture = useLoadedPicture(wanted);
  const shown = picture.shown.value;
  const { overlays } = useTagFacts(card.tag, shown?.whole ?? null);
  const facts = usePictureFacts(overlays && shows.value && shown !== null ? shown.whole : null).value;
  return (
    <>
      <div class="picture-cell__place">
        {wanted === null ? (
          <span class="picture-cell__none">{words.noPicture}</span>
        ) : picture.failed.value ? (
          <PictureProblem card={card} wanted={wanted} />
        ) : shown === null ? (
          <div class="picture-cell__skeleton" />
        ) : (
          <PictureFrame
            cardKey={card.key}
            label={card.tag}
            picture={shown}
            whole={shown.url === shown.whole}
            full={false}
            onOpen={() => openFull(card.key)}
          >
            {(drawn, pixelated) => (
              <>
                <Picture
                  picture={shown}
                  label={card.tag}
                  drawn={drawn}
                  pixelated={pixelated || (drawn === null && shown.widthPx * 2 <= cellPx)}
                />
                {facts !== null && <Overlays facts={facts} drawn={drawn} />}
              </>
            )}
          </PictureFrame>
        )}
        {picture.busy.value && <div class="card__busy" />}
      </div>
      <div class="picture-cell__step">{formatStep(series.steps[choice.at])}</div>
    </>
  );
}
