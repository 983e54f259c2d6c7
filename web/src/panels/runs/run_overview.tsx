// The first tab of a run's page: charts of its metrics, newest media, facts, note, labels and config.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { UserMarkup } from "../../cards/user_markup";
import { annotate, annotations, remarksOf } from "../../state/annotations";
import { isSystemMetric } from "../../state/run_columns";
import type { RunDetail } from "../../state/run_detail";
import type { TagsOfRun } from "../../state/run_media";
import { changeView, durationText, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { ConfigTree } from "./config_tree";
import { formatAge } from "./format";
import { Moment } from "./moment";
import { openDialog } from "./open_dialogs";
import { NoteField } from "./remarks_dialogs";
import { RunCharts } from "./run_charts";
import { RunMedia } from "./run_media";
import { useMetrics } from "./run_metrics";
import { StatePill } from "./state_mark";

export type Detail = Extract<RunDetail, { readonly run: unknown }>["run"];

type Properties = { readonly run: string; readonly detail: Detail; readonly tags: TagsOfRun | null };

const FIRST_CHARTS = 12;
const FIRST_MEDIA = 4;

export function Overview({ run, detail, tags }: Properties): JSX.Element {
  const t = texts.value.runs;
  return (
    <div class="run-page__overview">
      <div class="run-page__main">{tags !== null && <Results run={run} tags={tags} version={detail.last_time} />}</div>
      <div class="run-page__side">
        <section class="run-page__card">
          <Note run={run} />
          <Labels run={run} />
        </section>
        <Facts run={run} detail={detail} />
        {Object.keys(detail.config).length > 0 && (
          <section class="run-page__card" data-testid="overview-config">
            <h3>{t.config}</h3>
            <ConfigTree value={detail.config} empty="" />
          </section>
        )}
        {Object.keys(detail.summary).length > 0 && (
          <section class="run-page__card">
            <h3>{t.summary}</h3>
            <ConfigTree value={detail.summary} empty="" />
          </section>
        )}
      </div>
    </div>
  );
}

type ResultsProperties = {
  readonly run: string;
  readonly tags: TagsOfRun;
  /** Time of the newest data. */
  readonly version: number | null;
};

/** Charts of the first metrics, and the newest media. */
function Results({ run, tags, version }: ResultsProperties): JSX.Element {
  const t = texts.value.runs;
  const metrics = (tags.scalars ?? []).filter((tag) => !isSystemMetric(tag));
  const shown = metrics.slice(0, FIRST_CHARTS);
  const { metrics: values } = useMetrics([run], shown, version);
  const last = new Map(values?.get(run)?.map((row) => [row.tag, row.last]));
  return (
    <>
      {shown.length > 0 && (
        <RunCharts runs={[run]} tags={shown} first={FIRST_CHARTS} lastOf={(tag) => last.get(tag) ?? null} />
      )}
      {metrics.length > shown.length && (
        <Button
          label={t.allCharts(metrics.length)}
          title={t.allCharts(metrics.length)}
          testId="all-charts"
          onClick={() => changeView({ runTab: "charts" })}
        />
      )}
      <RunMedia run={run} tags={tags} most={FIRST_MEDIA} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ run, detail }: { readonly run: string; readonly detail: Detail }): JSX.Element {
  const t = texts.value.runs;
  const { start_time, last_time, duration, heartbeat, directory, about } = detail;
  const kinds = Object.entries(detail.tags);
  return (
    <section class="run-page__card">
      <dl class="run-page__facts">
        <Fact name={t.states2}>
          <StatePill run={run} />
        </Fact>
        {start_time !== null && (
          <Fact name={t.started}>
            <Moment seconds={start_time} />
          </Fact>
        )}
        {last_time !== null && (
          <Fact name={t.lastData}>
            <Moment seconds={last_time} age />
          </Fact>
        )}
        {duration !== null && <Fact name={t.duration}>{durationText(duration, 1)}</Fact>}
        <HeartbeatFact heartbeat={heartbeat} />
        <Fact name={t.originalName}>
          <code>{run}</code>
        </Fact>
        {directory !== "" && directory !== run && (
          <Fact name={t.directory}>
            <code>{directory}</code>
          </Fact>
        )}
        {kinds.length > 0 && (
          <Fact name={t.kindsLogged}>
            {kinds.map(([kind, count]) => `${texts.value.shell.kinds[kind] ?? kind} ${count}`).join(" · ")}
          </Fact>
        )}
        <Origin metadata={{ ...about, ...detail.metadata }} />
      </dl>
    </section>
  );
}

function HeartbeatFact({ heartbeat }: Pick<Detail, "heartbeat">): JSX.Element {
  const t = texts.value.runs;
  return (
    <Fact name={t.heartbeat}>
      {heartbeat === null ? (
        <span class="quiet">{t.noHeartbeat}</span>
      ) : (
        <>
          {t.heartbeats[heartbeat.status](formatAge(heartbeat.time))}
          {heartbeat.detail !== "" && <code class="run-page__detail">{heartbeat.detail}</code>}
        </>
      )}
    </Fact>
  );
}

/** The most important facts of a run's origin; a tab has all of them. */
function Origin({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): JSX.Element {
  const words = texts.value.runs.facts2;
  const known = Object.entries(words).flatMap(([key, word]) => {
    const value = metadata[key];
    if (value === undefined || value === null || value === "") return [];
    return [[word, originText(value)] as const];
  });
  return (
    <>
      {known.map(([word, text]) => (
        <Fact key={word} name={word}>
          <code>{text}</code>
        </Fact>
      ))}
    </>
  );
}

function originText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(String).join(" ");
  if (typeof value === "object" && value !== null)
    return (
      Object.entries(value)
        .filter(([, inner]) => inner !== null && inner !== "" && typeof inner !== "object")
        // texts with several lines, such as a diff, are only in the tab
        .filter(([, inner]) => !String(inner).includes("\n"))
        .map(([name, inner]) => `${name} ${inner}`)
        .join(" · ")
    );
  return String(value);
}

function Note({ run }: { readonly run: string }): JSX.Element {
  const t = texts.value.runs;
  const draft = useSignal<string | null>(null);
  const said = remarksOf(run);
  const writable = annotations.value.writable;
  const save = (): void => {
    const note = draft.value;
    draft.value = null;
    if (note !== null) void annotate(new Map([[run, { note }]]));
  };
  if (draft.value !== null) {
    return (
      <div class="run-page__note">
        <h3>{t.noteHeading}</h3>
        <NoteField value={draft.value} onInput={(text) => (draft.value = text)} onSave={save} />
        <div class="run-page__buttons">
          <Button label={t.cancel} kind="quiet" title={t.cancel} onClick={() => (draft.value = null)} />
          <Button label={t.save} kind="primary" title={t.saveKeys} testId="save-note" onClick={save} />
        </div>
      </div>
    );
  }
  return (
    <div class="run-page__note">
      <h3>{t.noteHeading}</h3>
      {said.note_html !== undefined ? (
        <UserMarkup className="run-page__markdown" html={said.note_html} />
      ) : (
        said.note !== undefined && <pre class="run-page__plain">{said.note}</pre>
      )}
      <Button
        label={said.note === undefined ? t.addNote : t.editNote}
        icon="edit"
        title={writable ? t.editNote : t.notWritable}
        disabled={!writable}
        testId="edit-note"
        onClick={() => (draft.value = said.note ?? "")}
      />
    </div>
  );
}

function Labels({ run }: { readonly run: string }): JSX.Element {
  const t = texts.value.runs;
  const writable = annotations.value.writable;
  return (
    <div class="run-page__labels">
      <h3>{t.labelsHeading}</h3>
      {remarksOf(run).tags?.map((tag) => (
        <span key={tag} class="label-chip">
          {tag}
        </span>
      ))}
      <button
        type="button"
        class="run-page__add"
        disabled={!writable}
        title={writable ? t.labels : t.notWritable}
        aria-label={t.labels}
        onClick={() => {
          openDialog.value = { kind: "labels", runs: [run] };
        }}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
