// Foot of a chart of the layout: number and list of the lines that its expressions match, and errors.

import type { JSX } from "preact";
import type { CardModel } from "../../cards/charts/card_model";
import { DashSample } from "../../cards/charts/dash_sample";
import { entriesOf } from "../../cards/charts/legend";
import { type CustomCard, matchOf } from "../../state/custom_scalars";
import { drawnSet } from "../../state/drawn";
import { shownName } from "../../state/runs";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { changeView, member, spoken } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { bandNotes, patternNotes } from "./chart_notes";

const listed = member("customMatches");

export const FOOT_PX = 26;
export const LIST_PX = 96;
// longer lists are unreadable
const MOST = 200;
const MOST_NOTES = 50;

export function listsMatches(key: string): boolean {
  return listed.value.includes(key);
}

export function CardFoot({ card, model }: { readonly card: CustomCard; readonly model: CardModel }): JSX.Element {
  const words = spoken(customScalarsWords);
  const entries = entriesOf(model, true);
  const notes = notesOf(card, model);
  const open = listsMatches(card.key);
  const toggle = (): void =>
    changeView({
      customMatches: open ? listed.value.filter((key) => key !== card.key) : [...listed.value, card.key],
    });
  return (
    <div class="custom-foot">
      <div class="custom-foot__bar">
        <button
          type="button"
          class="custom-foot__toggle"
          aria-expanded={open}
          data-testid="custom-matches"
          onClick={toggle}
        >
          <Icon name="chevron" />
          <span>{card.edges === undefined ? words.matches(entries.length) : words.lines(entries.length)}</span>
        </button>
        {notes.length > 0 && (
          <button
            type="button"
            class="custom-foot__toggle custom-foot__warning"
            title={notes.slice(0, 8).join("\n")}
            data-testid="custom-warnings"
            onClick={toggle}
          >
            <Icon name="warning" />
            <span>{words.warnings(notes.length)}</span>
          </button>
        )}
      </div>
      {open && <Matches entries={entries} notes={notes} />}
    </div>
  );
}

type MatchesProps = { readonly entries: ReturnType<typeof entriesOf>; readonly notes: readonly string[] };

function Matches({ entries, notes }: MatchesProps): JSX.Element {
  const words = spoken(customScalarsWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
    <ul class="custom-foot__list" tabIndex={0} aria-label={words.matches(entries.length)}>
      {notes.slice(0, MOST_NOTES).map((note) => (
        <li key={note} class="custom-foot__note">
          {note}
        </li>
      ))}
      {notes.length > MOST_NOTES && <li>{words.more(notes.length - MOST_NOTES)}</li>}
      {entries.slice(0, MOST).map(({ key, name, color, dash }) => (
        <li key={key}>
          <DashSample color={color} dash={dash} />
          <span>{name}</span>
        </li>
      ))}
      {entries.length > MOST && <li>{words.more(entries.length - MOST)}</li>}
    </ul>
  );
}

function notesOf(card: CustomCard, model: CardModel): readonly string[] {
  const words = spoken(customScalarsWords);
  const bands = bandNotes(model.series.layers.value, (run) => drawnSet.value.has(run), shownName, words);
  const nothing =
    card.edges !== undefined && model.empty.value && bands.length === 0
      ? card.chart.bands.map(({ value, lower, upper }) => words.noBand([value, lower, upper].join(", ")))
      : [];
  return [...patternNotes(card, matchOf, words), ...bands, ...nothing];
}
