// The page of graphs: toolbar, graph, and a side pane for the selected node.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { currentGraph, followGraphs, graphList, graphListProblem, retryGraphs } from "../../state/graphs";
import * as graphsWords from "../../state/texts/graphs";
import { grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { GraphStage } from "./graph_stage";
import "./graphs_panel.css";
import { GraphStrip, hasFacts } from "./info_card";
import { NoGraphs } from "./no_graphs";
import { failure, loading, retry, shown, startSession, summary, upload, uploading } from "./session";
import { SidePane } from "./side_pane";
import { GraphToolbar } from "./toolbar";
import { dropOn } from "./uploads";

export function GraphsPanel(): JSX.Element {
  const words = spoken(graphsWords);
  const dropping = useSignal(false);
  useEffect(() => followGraphs(), []);
  useEffect(() => startSession(), []);
  const { graphsPane, graphsLegend } = view.value;
  const nothing = graphList.value !== null && currentGraph.value === null && upload.value === null;
  return (
    <main class="graphs-page" data-testid="graphs-page" {...dropOn(dropping)}>
      <GraphToolbar />
      <div class="graphs-page__body">
        {nothing ? (
          <NoGraphs />
        ) : (
          <>
            <div class="graphs-page__stage">
              <GraphStage legend={graphsLegend} />
              <State />
            </div>
            {graphsPane === "info" && !hasFacts() && <GraphStrip />}
            {(graphsPane === "nodes" || (graphsPane === "info" && hasFacts())) && <SidePane pane={graphsPane} />}
          </>
        )}
      </div>
      {dropping.value && <div class="graphs-page__drop">{words.dropHere}</div>}
      {uploading.value !== "" && (
        <div class="graphs-page__busy" role="status">
          {words.uploading(uploading.value)}
        </div>
      )}
    </main>
  );
}

/** Message that says why no graph is shown; null if one is. */
function State(): JSX.Element | null {
  const words = spoken(graphsWords);
  const problem = failure.value || graphListProblem.value?.message || "";
  if (problem !== "") {
    return (
      <Message title={words.failed} text={problem} alert>
        <Button
          label={words.retry}
          title={words.retry}
          onClick={() => {
            retryGraphs();
            retry();
          }}
        />
      </Message>
    );
  }
  if (summary.value?.nodes === 0) return <Message title={words.empty} text={words.emptyHint} />;
  if (shown.value === null || loading.value) {
    const { nodes } = currentGraph.value ?? { nodes: null };
    return (
      <div class="graphs-page__loading" role="status" data-testid="graph-loading">
        {words.loading}
        {nodes !== null && ` ${words.nodeCount(grouped(nodes))}`}
      </div>
    );
  }
  return null;
}

type MessageProps = {
  readonly title: string;
  readonly text: string;
  readonly alert?: boolean;
  readonly children?: JSX.Element;
};

function Message({ title, text, alert = false, children }: MessageProps): JSX.Element {
  return (
    <div class="graphs-page__message" role={alert ? "alert" : "status"} data-testid="graph-message">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
