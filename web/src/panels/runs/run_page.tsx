// The page of one run: summary, config, origin, metrics, event files and faults.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { UserMarkup } from "../../cards/user_markup";
import { annotate, annotations, remarksOf, shownName } from "../../state/annotations";
import { followRuns, type RunDetail } from "../../state/run_detail";
import { colorOf, tickOnly } from "../../state/runs";
import { changeView, durationText, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Tabs } from "../../widgets/tabs";
import { ConfigTree } from "./config_tree";
import { formatAge } from "./format";
import { Moment } from "./moment";
import { openDialog } from "./open_dialogs";
import { NoteField } from "./remarks_dialogs";
import { RunDialogs } from "./run_dialogs";
import { FilesTable, HealthTable } from "./run_files";
import { menuOfRun } from "./run_menu";
import { RunMetrics } from "./run_metrics";
import "./run_page.css";
import { StatePill } from "./state_mark";

const of = member("of");
const runTab = member("runTab");

type Detail = Extract<RunDetail, { readonly run: unknown }>["run"];

export function RunPage(): JSX.Element {
  const run = of.value[0] ?? "";
  const following = useMemo(() => followRuns([run]), [run]);
  useEffect(() => following.stop, [following]);
  const detail = following.details.value.get(run);
  return (
    <main class="run-page" key={run}>
      <Head run={run} />
      {detail !== undefined && "run" in detail && <Body run={run} detail={detail.run} />}
      {detail !== undefined && "problem" in detail && (
        <div class="run-page__missing">
          <h2>{texts.value.runs.noSuchRun(run)}</h2>
          <p>{detail.problem.message}</p>
          <p>{texts.value.runs.runGone}</p>
        </div>
      )}
      <RunDialogs />
    </main>
  );
}

function Head({ run }: { readonly run: string }): JSX.Element {
  const t = texts.value.runs;
  return (
    <header class="run-page__head">
      <span class="run-page__dot" style={{ background: colorOf.value(run) }} />
      <h1 class="run-page__name" title={run}>
        <bdi>{shownName(run)}</bdi>
      </h1>
      <StatePill run={run} />
      <span class="run-page__space" />
      <Button
        label={t.showCharts}
        icon="right"
        kind="primary"
        title={t.showCharts}
        testId="run-charts"
        onClick={() => {
          tickOnly([run]);
          changeView({ page: "timeseries" }, { entry: true });
        }}
      />
      <Button
        label={t.rename}
        icon="edit"
        title={annotations.value.writable ? t.rename : t.notWritable}
        disabled={!annotations.value.writable}
        onClick={() => {
          openDialog.value = { kind: "rename", run };
        }}
      />
      <Menu label={t.menuOf(run)} items={menuOfRun(run, { xPx: innerWidth - 320, yPx: 90 })} kind="plain" />
    </header>
  );
}

const TABS = ["overview", "config", "metricsTab", "metadata", "files", "health"] as const;
type TabKey = (typeof TABS)[number];

function Body({ run, detail }: { readonly run: string; readonly detail: Detail }): JSX.Element {
  const t = texts.value.runs;
  const selected = TABS.find((tab) => tab === runTab.value) ?? "overview";
  const counts: Partial<Record<TabKey, number>> = {
    metricsTab: detail.tags.scalars ?? 0,
    files: detail.files.length,
    ...(detail.faults > 0 ? { health: detail.faults } : {}),
  };
  return (
    <>
      <Tabs
        label={shownName(run)}
        selected={selected}
        tabs={TABS.map((tab) => ({ key: tab, label: t[tab], count: counts[tab] }))}
        onSelect={(tab) => changeView({ runTab: tab })}
      />
      <div class="run-page__body" role="tabpanel">
        {selected === "overview" && <Overview run={run} detail={detail} />}
        {selected === "config" && <ConfigTree value={detail.config} empty={t.noConfig} />}
        {selected === "metricsTab" && <RunMetrics runs={[run]} />}
        {selected === "metadata" && <ConfigTree value={detail.metadata} empty={t.noMetadata} />}
        {selected === "files" && <FilesTable files={detail.files} />}
        {selected === "health" && <HealthTable files={detail.files} faults={detail.faults} />}
      </div>
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

function Overview({ run, detail }: { readonly run: string; readonly detail: Detail }): JSX.Element {
  const t = texts.value.runs;
  const { start_time, last_time, duration, heartbeat, directory, about, summary } = detail;
  const kinds = Object.entries(detail.tags);
  return (
    <div class="run-page__columns">
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
          <Fact name={t.originalName}>
            <code>{run}</code>
          </Fact>
          {directory !== "" && (
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
      <section class="run-page__card">
        <Note run={run} />
        <Labels run={run} />
        {Object.keys(summary).length > 0 && (
          <>
            <h3>{t.summary}</h3>
            <ConfigTree value={summary} empty="" />
          </>
        )}
      </section>
    </div>
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
