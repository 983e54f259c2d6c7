// Content of a text card: its steps, the newest first, or only those that match the search; or two steps compared.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { blobOf } from "../../state/blobs";
import { choiceOf, chooseStep } from "../../state/step_choice";
import type { SeriesSteps } from "../../state/steps";
import { nameOf, readSource, type TextFinds, textLoader } from "../../state/text_values";
import * as textWords from "../../state/texts/text";
import { tell } from "../../state/toasts";
import { changeView, member, spoken, view } from "../../state/view";
import { copyText } from "../../widgets/clipboard";
import { fileName, saveAddress, saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { MeasuredList } from "./measured_list";
import "./text_card.css";
import { TextDiff } from "./text_diff";
import { TextEntry } from "./text_entry";
import { useSearch } from "./text_search";

const markdown = member("textMarkdown");
const search = member("textSearch");
const diffs = member("textDiff");

const GUESS_PX = 90;

export function TextCard(props: KindCardProps): JSX.Element {
  const pair = diffs.value[props.card.key];
  return pair === undefined ? <StepList {...props} /> : <TextDiff {...props} pair={pair} />;
}

function StepList({ card, series }: KindCardProps): JSX.Element {
  const words = spoken(textWords);
  const form = markdown.value ? "markdown" : "plain";
  const loader = useMemo(() => textLoader({ run: card.run, tag: card.tag }, form), [card.run, card.tag, form]);
  const points = series.walls.length;
  const wanted = search.value;
  const { finds, problem } = useSearch(card, wanted, points);
  const places = useMemo(() => placesOf(points, wanted, finds.value), [points, wanted, finds.value]);
  const onDrawn = useCallback(
    (indexes: readonly number[]) =>
      loader.want(
        series,
        indexes.map((index) => places[index] ?? 0),
      ),
    [loader, series, places],
  );
  const choice = choiceOf(card.key, series.steps);
  const chosen = choice.by === "newest" ? null : choice.at;
  const goTo = useSignal<number | null>(null);
  useEffect(() => {
    const index = chosen === null ? -1 : places.indexOf(chosen);
    goTo.value = index === -1 ? null : index;
  }, [chosen, places, goTo]);
  void loader.version.value;
  const failure = loader.problem.value;
  const shown = places.filter((place) => loader.get(nameOf(series, place)) !== undefined).length;
  return (
    <div class="text-card" data-drawn={shown} data-step={String(series.steps[chosen ?? points - 1] ?? "")}>
      {wanted !== "" && <SearchState finds={finds.value} problem={problem.value} words={wanted} points={points} />}
      {failure !== null && shown === 0 ? (
        <div class="text-card__failure">
          <CardProblem title={words.failed} message={failure.message} onRetry={loader.retry} />
        </div>
      ) : (
        <MeasuredList
          label={card.tag}
          count={places.length}
          keyAt={(index) => nameOf(series, places[index] ?? 0)}
          guessPx={GUESS_PX}
          goTo={goTo.value}
          onDrawn={onDrawn}
          testId="text-steps"
          row={(index) => <Entry card={card} series={series} loader={loader} place={places[index] ?? 0} />}
        />
      )}
    </div>
  );
}

type EntryProps = Pick<KindCardProps, "card" | "series"> & {
  readonly loader: ReturnType<typeof textLoader>;
  readonly place: number;
};

function Entry({ card, series, loader, place }: EntryProps): JSX.Element {
  const step = series.steps[place] ?? 0;
  const choice = choiceOf(card.key, series.steps);
  const chosen = choice.by !== "newest" && choice.at === place;
  void loader.version.value;
  return (
    <TextEntry
      step={step}
      wall={series.walls[place] ?? 0}
      text={loader.get(nameOf(series, place))}
      markdown={markdown.value}
      words={search.value}
      chosen={chosen}
      comparable={place > 0}
      onChoose={() => chooseStep(card.key, chosen && choice.by === "card" ? null : step)}
      onCompare={() => compare(card.key, series, place - 1, place)}
      onCopy={() => void copy(card, place)}
      onDownload={() => void download(card, series, place)}
      onMore={() => loader.more(series, place)}
    />
  );
}

/** Indices in the series, the newest first. */
function placesOf(points: number, words: string, finds: TextFinds | null): readonly number[] {
  if (words === "") return Array.from({ length: points }, (_, index) => points - 1 - index);
  return (finds?.hits ?? []).map(({ place }) => place).filter((place) => place < points);
}

type SearchProps = {
  readonly finds: TextFinds | null;
  readonly problem: string | null;
  readonly words: string;
  readonly points: number;
};

function SearchState({ finds, problem, words: wanted, points }: SearchProps): JSX.Element {
  const words = spoken(textWords);
  const steps = finds?.hits.length ?? 0;
  return (
    <div class="text-card__search" role="status">
      {problem !== null ? (
        <span class="text-card__wrong">{`${words.searchFailed}: ${problem}`}</span>
      ) : finds?.done && steps === 0 ? (
        words.noHit(wanted)
      ) : (
        <>
          {finds !== null && <span>{words.hits(steps, points)}</span>}
          {finds?.done !== true && <span>{words.searching}</span>}
        </>
      )}
    </div>
  );
}

function compare(cardKey: string, series: SeriesSteps, before: number, after: number): void {
  const pair = `${series.steps[before]}..${series.steps[after]}`;
  changeView({ textDiff: { ...view.value.textDiff, [cardKey]: pair } });
}

type Source = { readonly run: string; readonly tag: string };

async function copy({ run, tag }: Source, place: number): Promise<void> {
  const words = spoken(textWords);
  const source = await readSource({ run, tag }, place).catch(() => null);
  const done = source !== null && (await copyText(source.text));
  tell(done ? words.copied : words.notCopied, { kind: done ? "news" : "error" });
}

async function download(card: KindCardProps["card"], series: SeriesSteps, place: number): Promise<void> {
  const name = [card.tag, card.run, series.steps[place]].join("_");
  // a single string is downloaded as it is; several strings are saved as a table
  if ((series.counts[place] ?? 0) < 2) {
    saveAddress(blobOf(card, series, place), `${name}.md`);
    return;
  }
  const source = await readSource({ run: card.run, tag: card.tag }, place).catch(() => null);
  if (source === null) tell(spoken(textWords).failed, { kind: "error" });
  else saveFile(fileName(name, "tsv"), new Blob([source.text], { type: "text/tab-separated-values" }));
}

export function textMenu({ card, series }: KindCardProps): readonly MenuItem[] {
  const words = spoken(textWords);
  const last = series.walls.length - 1;
  return [
    {
      label: words.compareOldest,
      icon: "compare",
      disabled: last < 1,
      onSelect: () => compare(card.key, series, 0, last),
    },
    { label: words.downloadNewest, icon: "download", onSelect: () => void download(card, series, last) },
  ];
}
