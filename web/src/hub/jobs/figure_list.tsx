// Figures of a job's machine: the newest value of each, and a small chart of those that came since the page was opened.
// All values are scalars in the log directory, so the board has them.

import type { JSX } from "preact";
import type { Job } from "../api/jobs";
import { Facts } from "../parts/facts";
import { spoken } from "../preferences";
import * as area from "../texts/job";
import { figureName, figureText, isMain, sortedFigures } from "./figures";
import { OPEN } from "./job_status";
import type { FigureHistory } from "./one_job";

type Properties = { readonly job: Job; readonly history: FigureHistory };

export function Figures({ job, history }: Properties): JSX.Element | null {
  const words = spoken(area);
  const figures = sortedFigures(job.figures);
  const named = figures.map(([key]) => key);
  const [main, rest] = named.some(isMain) ? [named.filter(isMain), named.filter((key) => !isMain(key))] : [named, []];
  if (figures.length === 0 && !OPEN.has(job.state)) return null;
  return (
    <section class="panel" data-testid="figures">
      <h2>{words.figures}</h2>
      {figures.length === 0 ? (
        <p class="panel__quiet">{words.figuresQuiet}</p>
      ) : (
        <>
          <List job={job} history={history} keys={main} />
          {rest.length > 0 && (
            <details class="figure-more">
              <summary>{words.figuresMore}</summary>
              <Facts facts={rest.map((key) => [figureName(key), textOf(job, key)])} />
            </details>
          )}
          <div class="job-board">
            <span class="panel__quiet">{OPEN.has(job.state) ? words.figuresLive : words.figuresLast}</span>
            {job.board !== null && (
              <a href={`${job.board.url}#timeseries?tagFilter=system/`} target="_blank" rel="noopener">
                {words.figuresAll}
              </a>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function List({ job, history, keys }: Properties & { readonly keys: readonly string[] }): JSX.Element {
  return (
    <dl class="figure-list">
      {keys.map((key) => (
        <Figure key={key} name={key} text={textOf(job, key)} values={history[key] ?? []} live={OPEN.has(job.state)} />
      ))}
    </dl>
  );
}

function textOf({ figures }: Job, key: string): string {
  return figureText(key, figures[key] ?? Number.NaN, figures);
}

type FigureProperties = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly number[];
  /** More values come: there is room for a chart. */
  readonly live: boolean;
};

function Figure({ name, text, values, live }: FigureProperties): JSX.Element {
  const word = figureName(name);
  const line = pathOf(values, name.endsWith("percent"));
  return (
    <div class={live ? "figure figure--live" : "figure"} data-figure={name}>
      <dt title={word}>{word}</dt>
      <dd>{text}</dd>
      {line !== "" && (
        <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={spoken(area).chartOf(word, text)}>
          <path class="figure__area" d={`${line} L100 30 L0 30 Z`} />
          <path class="figure__line" d={line} />
        </svg>
      )}
    </div>
  );
}

/** A line from left to right in 100 × 30; percents begin at 0, others at their least value. Empty for less than 2. */
export function pathOf(values: readonly number[], isShare: boolean): string {
  const good = values.filter((value) => Number.isFinite(value));
  if (good.length < 2) return "";
  const least = isShare ? 0 : Math.min(...good);
  const most = Math.max(...good, least + 1e-9, isShare ? 100 : least);
  const flat = most - least < 1e-6 * Math.max(1, Math.abs(most));
  return good
    .map((value, at) => {
      const x = (100 * at) / (good.length - 1);
      const y = flat ? 15 : 28 - (26 * (value - least)) / (most - least);
      return `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join(" ");
}
