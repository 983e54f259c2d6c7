// The page of one run: overview, charts, metrics, media, config, environment, system metrics, console, event files and
// faults. Tabs without content are hidden.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { annotations, shownName } from "../../state/annotations";
import { codeOf } from "../../state/run_code";
import { isSystemMetric } from "../../state/run_columns";
import { followRuns } from "../../state/run_detail";
import { MEDIA_KINDS, type TagsOfRun, tagsOfRun } from "../../state/run_media";
import { colorOf, tickOnly } from "../../state/runs";
import { changeView, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Menu } from "../../widgets/menu";
import { Tabs } from "../../widgets/tabs";
import { Breadcrumb } from "./breadcrumb";
import { ConfigTree } from "./config_tree";
import { openDialog } from "./open_dialogs";
import { RunCharts } from "./run_charts";
import { Code } from "./run_code";
import { RunConsole } from "./run_console";
import { RunDialogs } from "./run_dialogs";
import { FilesTable, HealthTable } from "./run_files";
import { OpenKind, RunMedia } from "./run_media";
import { menuOfRun } from "./run_menu";
import { RunMetrics } from "./run_metrics";
import { type Detail, Overview } from "./run_overview";
import "./run_page.css";
import { StatePill } from "./state_mark";

const of = member("of");
const runTab = member("runTab");

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
      <Breadcrumb />
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

const TABS = [
  "overview",
  "charts",
  "metricsTab",
  "media",
  "config",
  "metadata",
  "code",
  "system",
  "console",
  "files",
  "health",
] as const;
type TabKey = (typeof TABS)[number];

const NO_TAGS: TagsOfRun = {};

/** Tags of the run, requested again when their number has changed; null before the first response. */
function useTags(run: string, detail: Detail): TagsOfRun | null {
  const tags = useSignal<TagsOfRun | null>(null);
  const key = JSON.stringify(detail.tags);
  useEffect(() => {
    let current = true;
    tagsOfRun(run).then(
      (found) => {
        if (current) tags.value = found;
      },
      () => {
        // the other tabs work without; the next change of the run retries
        if (current) tags.value ??= NO_TAGS;
      },
    );
    return () => {
      current = false;
    };
  }, [run, key, tags]);
  return tags.value;
}

/** Returns the number of items in each tab; tabs with 0 are hidden, null is not counted. */
function contentOf(detail: Detail, tags: TagsOfRun): Readonly<Record<TabKey, number | null>> {
  const scalars = tags.scalars ?? [];
  const system = scalars.filter(isSystemMetric).length;
  const present = (value: object): null | 0 => (Object.keys(value).length > 0 ? null : 0);
  return {
    overview: null,
    charts: scalars.length - system,
    metricsTab: detail.tags.scalars ?? 0,
    media: otherKinds(detail).length > 0 || MEDIA_KINDS.some((kind) => (detail.tags[kind] ?? 0) > 0) ? null : 0,
    config: present(detail.config),
    metadata: present(detail.metadata),
    code: codeOf(detail.metadata) === null ? 0 : null,
    system,
    console: detail.console > 0 ? null : 0,
    files: detail.files.length,
    health: detail.faults,
  };
}

/** Kinds that have a page, but no preview here. */
function otherKinds(detail: Detail): readonly string[] {
  const shown: readonly string[] = ["scalars", "hparams", "custom_scalars", ...MEDIA_KINDS];
  return Object.keys(detail.tags).filter((kind) => !shown.includes(kind));
}

type TabProperties = { readonly run: string; readonly detail: Detail };

function Body({ run, detail }: TabProperties): JSX.Element {
  const t = texts.value.runs;
  const tags = useTags(run, detail);
  const counts = contentOf(detail, tags ?? NO_TAGS);
  // before the tags are known a tab of the address must not be replaced
  const shown = TABS.filter((tab) => counts[tab] !== 0 || (tags === null && tab === runTab.value));
  const selected = shown.find((tab) => tab === runTab.value) ?? "overview";
  return (
    <>
      <Tabs
        label={shownName(run)}
        selected={selected}
        tabs={shown.map((tab) => ({ key: tab, label: t[tab], count: counts[tab] ?? undefined }))}
        onSelect={(tab) => changeView({ runTab: tab })}
      />
      <div class="run-page__body" role="tabpanel">
        {selected === "overview" ? (
          <Overview run={run} detail={detail} tags={tags} />
        ) : (
          <OtherTab run={run} detail={detail} tab={selected} tags={tags ?? NO_TAGS} />
        )}
      </div>
    </>
  );
}

const FIRST_CHARTS = 36;
const MOST_MEDIA = 40;

type OtherProperties = TabProperties & { readonly tab: TabKey; readonly tags: TagsOfRun };

function OtherTab({ run, detail, tab, tags }: OtherProperties): JSX.Element | null {
  const t = texts.value.runs;
  const scalars = tags.scalars ?? [];
  if (tab === "charts" || tab === "system") {
    const wanted = scalars.filter((tag) => isSystemMetric(tag) === (tab === "system"));
    return <RunCharts key={tab} runs={[run]} tags={wanted} first={FIRST_CHARTS} filter={wanted.length > 6} />;
  }
  if (tab === "media") return <Media run={run} detail={detail} tags={tags} />;
  if (tab === "config") return <ConfigTree value={detail.config} empty={t.noConfig} />;
  if (tab === "metricsTab") return <RunMetrics runs={[run]} />;
  if (tab === "metadata") return <ConfigTree value={detail.metadata} empty={t.noMetadata} />;
  if (tab === "code") return <Code metadata={detail.metadata} />;
  if (tab === "console") return <RunConsole run={run} records={detail.console} />;
  if (tab === "files") return <FilesTable files={detail.files} />;
  if (tab === "health") return <HealthTable files={detail.files} faults={detail.faults} />;
  return null;
}

function Media({ run, detail, tags }: TabProperties & { readonly tags: TagsOfRun }): JSX.Element {
  const others = otherKinds(detail);
  return (
    <>
      {others.length > 0 && (
        <div class="run-page__kinds">
          {others.map((kind) => (
            <OpenKind
              key={kind}
              run={run}
              kind={kind}
              plain
              label={`${texts.value.shell.kinds[kind] ?? kind} (${detail.tags[kind] ?? 0})`}
            />
          ))}
        </div>
      )}
      <RunMedia run={run} tags={tags} most={MOST_MEDIA} />
    </>
  );
}
