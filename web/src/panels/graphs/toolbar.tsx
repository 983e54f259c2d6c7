// The toolbar: choice of the graph, search, colors, actions on the whole graph.

import { batch } from "@preact/signals";
import type { JSX } from "preact";
import { chooseGraph, currentGraph, type GraphEntry, graphList, graphRuns, statsTags } from "../../state/graphs";
import { GRAPHS_COLORS } from "../../state/members/graphs";
import * as graphsWords from "../../state/texts/graphs";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Menu, type MenuItem } from "../../widgets/menu";
import { Select } from "../../widgets/select";
import { saveGraph } from "./export";
import { ColorKey } from "./legend";
import { CAN_OPEN, OPEN } from "./model/scene";
import { GraphSearch } from "./search_box";
import { shown, summary, upload } from "./session";
import "./toolbar.css";
import { pickFile } from "./uploads";

const FILE = "\u0000file";

export function GraphToolbar(): JSX.Element {
  const words = spoken(graphsWords);
  const { graphsPane, graphsLegend } = view.value;
  const pane = (which: "info" | "nodes"): JSX.Element => (
    <Button
      icon={which === "info" ? "info" : "tree"}
      title={words[which]}
      pressed={graphsPane === which}
      testId={`graph-pane-${which}`}
      onClick={() => changeView({ graphsPane: graphsPane === which ? "none" : which })}
    />
  );
  return (
    <div class="graph-toolbar-place">
      <div class="graph-toolbar" role="toolbar" aria-label={words.title}>
        <GraphChoice />
        <GraphSearch />
        <Options />
        <Menu
          label={words.download}
          icon="download"
          kind="plain"
          testId="graph-download"
          disabled={shown.value === null}
          items={[
            { label: words.png, onSelect: () => void saveGraph("png") },
            { label: words.svg, onSelect: () => void saveGraph("svg") },
          ]}
        />
        <Button icon="upload" title={words.uploadHint} testId="graph-upload" onClick={pickFile} />
        <span class="graph-toolbar__end">
          <Button
            icon="help"
            title={words.legend}
            pressed={graphsLegend}
            testId="graph-legend-toggle"
            onClick={() => changeView({ graphsLegend: !graphsLegend })}
          />
          {pane("info")}
          {pane("nodes")}
        </span>
      </div>
      <div class="graph-toolbar graph-toolbar--colors">
        <ColorChoice />
        <ColorKey />
      </div>
    </div>
  );
}

/** Chooses a run, a graph of the run, and its profile (logged times and memory). */
function GraphChoice(): JSX.Element | null {
  const words = spoken(graphsWords);
  const now = currentGraph.value;
  const file = upload.value;
  const all = graphList.value?.graphs ?? [];
  const runs = graphRuns.value;
  if (now === null && file === null) return null;
  const run = file !== null ? FILE : (now?.run ?? "");
  const ofRun = all.filter((graph) => graph.run === run);
  const runOptions = [
    ...(file === null ? [] : [{ value: FILE, label: file.name }]),
    ...runs.map((name) => ({ value: name, label: name === "." ? "." : name })),
  ];
  return (
    <>
      <Select
        label={words.runs(runs.length)}
        bare={runs.length < 2}
        value={run}
        testId="graph-run"
        options={runOptions}
        onChange={(name) => {
          if (name === FILE) return;
          const first = all.find((graph) => graph.run === name);
          batch(() => {
            upload.value = null;
            if (first !== undefined) chooseGraph({ run: name, tag: "" });
          });
        }}
      />
      {file === null && (
        <Select
          label={words.graph}
          bare
          value={now?.tag ?? ""}
          testId="graph-tag"
          options={ofRun.map((graph) => ({ value: graph.tag, label: nameOf(graph) }))}
          onChange={(tag) => chooseGraph({ run, tag })}
        />
      )}
      {file === null && <StatsChoice />}
    </>
  );
}

/** Chooses the profile of the graph; renders nothing if none was logged. */
function StatsChoice(): JSX.Element | null {
  const words = spoken(graphsWords);
  const tags = statsTags.value;
  if (tags.length === 0) return null;
  return (
    <Select
      label={words.profile}
      value={view.value.graphsStats}
      testId="graph-stats"
      options={[{ value: "", label: words.noProfile }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
      onChange={(tag) =>
        changeView({ graphsStats: tag, graphsWithout: [], graphsColor: tag === "" ? "structure" : "time" })
      }
    />
  );
}

function nameOf({ tag, source }: GraphEntry): string {
  const words = spoken(graphsWords);
  const kind = words.sources[source];
  return source === "run_graph" ? kind : `${tag} – ${kind}`;
}

function ColorChoice(): JSX.Element {
  const words = spoken(graphsWords);
  const facts = summary.value;
  const paint = shown.value?.paint;
  const some = (values: Float64Array | undefined): boolean => values?.some((value) => value > 0) ?? false;
  const known = {
    none: true,
    structure: true,
    device: facts?.devices.some((device) => device !== "") ?? false,
    cluster: (facts?.clusters.length ?? 0) > 0,
    time: some(paint?.micros),
    memory: some(paint?.bytes),
    tpu: paint?.tpu != null,
  };
  return (
    <Select
      label={words.color}
      value={view.value.graphsColor}
      testId="graph-color"
      options={GRAPHS_COLORS.map((by) => ({
        value: by,
        label: words.colors[by],
        disabled: !known[by] && view.value.graphsColor !== by,
      }))}
      onChange={(graphsColor) => changeView({ graphsColor })}
    />
  );
}

function Options(): JSX.Element {
  const words = spoken(graphsWords);
  const { graphsTrace, graphsExtract } = view.value;
  const items: readonly MenuItem[] = [
    {
      label: words.trace,
      title: words.traceHint,
      checked: graphsTrace,
      shortcut: "T",
      onSelect: () => changeView({ graphsTrace: !graphsTrace }),
    },
    {
      label: words.extract,
      checked: graphsExtract,
      onSelect: () => changeView({ graphsExtract: !graphsExtract }),
    },
    "separator",
    { label: words.openAll, icon: "down", onSelect: openInSight },
    { label: words.closeAll, icon: "up", onSelect: closeAll },
    {
      label: words.backToRule,
      icon: "reset",
      onSelect: () =>
        changeView({ graphsOpen: [], graphsClosed: [], graphsMain: [], graphsAside: [], graphsUngrouped: [] }),
    },
  ];
  return <Menu label={words.options} icon="settings" kind="plain" testId="graph-options" items={items} />;
}

// maximum number of groups opened at once, so that the layout stays fast
const MOST_OPENED = 60;

function openInSight(): void {
  const scene = shown.peek()?.scene;
  if (scene === undefined) return;
  const paths = scene.path
    .filter((_, i) => ((scene.flags[i] ?? 0) & (CAN_OPEN | OPEN)) === CAN_OPEN && scene.depth[i] !== undefined)
    .slice(0, MOST_OPENED);
  const { graphsOpen, graphsClosed } = view.value;
  changeView({
    graphsOpen: [...graphsOpen, ...paths],
    graphsClosed: graphsClosed.filter((path) => !paths.includes(path)),
  });
}

function closeAll(): void {
  const scene = shown.peek()?.scene;
  if (scene === undefined) return;
  const open = scene.path.filter((_, i) => ((scene.flags[i] ?? 0) & OPEN) !== 0);
  changeView({ graphsOpen: [], graphsClosed: open });
}
