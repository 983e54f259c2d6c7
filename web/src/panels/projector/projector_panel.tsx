// The projector: points of an embedding arranged in two or three dimensions.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import { followColors } from "../../cards/chart_colors";
import { explainedText } from "../../state/explained";
import {
  configProblems,
  type Embedding,
  embedding,
  embeddings,
  embeddingsProblem,
  followEmbeddings,
  isUsable,
  retryEmbeddings,
} from "../../state/projector";
import { followBookmarks } from "../../state/projector_bookmarks";
import { followLayout, layoutStatus } from "../../state/projector_layout";
import { followSelection } from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { grouped, spoken } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { BookmarksPane } from "./bookmarks_pane";
import { DataBar } from "./data_bar";
import { Inspector } from "./inspector";
import { NoEmbeddings } from "./no_embeddings";
import { PointsView } from "./points_view";
import { ProjectionPane } from "./projection_pane";
import "./projector_panel.css";
import { clearStage, tellStage } from "./stage";

export function ProjectorPanel(): JSX.Element {
  useEffect(() => {
    const stops = [
      followEmbeddings(),
      followColors(),
      followSelection(),
      followBookmarks(),
      followLayout(
        (frame, key, rows) => {
          const total = embedding.peek()?.rows ?? 0;
          tellStage({ type: "layout", key, frame, rows, total }, [frame]);
        },
        () => tellStage({ type: "clear" }),
      ),
      clearStage,
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const words = spoken(projectorWords);
  const all = embeddings.value;
  const of = embedding.value;
  const problem = embeddingsProblem.value;
  return (
    <main class="projector" data-testid="projector-page">
      {all !== null && <DataBar />}
      {all === null ? (
        problem !== null && (
          <div class="projector__empty">
            <CardProblem title={words.listFailed} message={problem.message} onRetry={retryEmbeddings} />
          </div>
        )
      ) : of === null ? (
        <NoEmbeddings />
      ) : isUsable(of) ? (
        <Workplace of={of} />
      ) : (
        <Unusable of={of} others={all.some(isUsable)} />
      )}
    </main>
  );
}

function Workplace({ of }: { readonly of: Embedding }): JSX.Element {
  return (
    <div class="projector__place">
      <div class="projector__body">
        <PointsView />
        <div class="projector__side projector__side--projection">
          <Notes of={of} />
          <ProjectionPane />
        </div>
        <div class="projector__side projector__side--inspector">
          <Inspector />
        </div>
        <div class="projector__side projector__side--bookmarks">
          <BookmarksPane />
        </div>
      </div>
    </div>
  );
}

/** Warnings about files of the embedding; the points are shown anyway. */
function Notes({ of }: { readonly of: Embedding }): JSX.Element | null {
  const words = spoken(projectorWords);
  const left = layoutStatus.value?.left_out ?? 0;
  const said = [
    ...of.notes.map(({ about, code, number, why }) => {
      const detail = why === null ? "" : explainedText(why);
      const text = words.notes[code]?.(grouped(number), detail) ?? (detail === "" ? code : detail);
      return `${words.about[about]}: ${text}`;
    }),
    ...(left > 0 ? [words.leftOut(grouped(left))] : []),
    ...configProblems.value.map(explainedText),
  ];
  if (said.length === 0) return null;
  return (
    <div class="projector-problem" role="status" data-testid="projector-notes">
      <Icon name="warning" />
      <ul>
        {said.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Unusable({ of, others }: { readonly of: Embedding; readonly others: boolean }): JSX.Element {
  const words = spoken(projectorWords);
  return (
    <div class="projector__empty" role="alert" data-testid="projector-unusable">
      <Icon name="warning" />
      <h2>{words.problemTitle}</h2>
      <p dir="auto">{of.problem !== null && explainedText(of.problem)}</p>
      {others && <p>{words.other}</p>}
    </div>
  );
}
