// Content of a mesh card: the mesh of a step, warnings about it, and the step slider.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { formatCount } from "../../base/numbers";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { CardStep, formatStep } from "../../cards/step_slider";
import { explainedText, reasonOf } from "../../state/explained";
import type { MeshData } from "../../state/mesh";
import { pointName } from "../../state/point_name";
import { choiceOf, sampleOfCard } from "../../state/step_choice";
import * as meshWords from "../../state/texts/mesh";
import { spoken } from "../../state/view";
import { fileName, saveFile } from "../../widgets/files";
import { Icon } from "../../widgets/icons";
import type { MenuItem } from "../../widgets/menu";
import "./mesh_card.css";
import { meshName } from "../../state/mesh_names";
import { objFile, plyFile } from "./mesh_files";
import { MeshView } from "./mesh_view";
import { stageKind } from "./stage";
import { type Shown, useMesh } from "./use_mesh";

/** What each card shows now, for its menu. */
const onDisplay = new Map<string, { readonly shown: Shown; readonly picture: () => Promise<Blob | null> }>();

export function MeshCard(props: KindCardProps): JSX.Element {
  const { card, series, urgency } = props;
  const choice = choiceOf(card.key, series.steps);
  const name = pointName(card, series, choice.at);
  // number of samples at the step on display; before it is known, the largest number
  const samples = useRef(series.samples);
  const sample = sampleOfCard(card.key, samples.current);
  const mesh = useMesh(name, sample, urgency);
  const shown = mesh.shown.value;
  if (shown !== null) samples.current = Math.max(1, Number(shown.model.data.header.samples));
  return (
    <>
      <div class="mesh-card__place">
        <Inside props={props} mesh={mesh} />
        {mesh.busy.value && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={mesh.busy.value} loop>
        <SampleChoice card={card} at={sample} count={samples.current} />
      </CardStep>
    </>
  );
}

type InsideProps = { readonly props: KindCardProps; readonly mesh: ReturnType<typeof useMesh> };

function Inside({ props: { card, full }, mesh }: InsideProps): JSX.Element {
  const words = spoken(meshWords);
  const shown = mesh.shown.value;
  const problem = mesh.problem.value;
  if (problem !== null) return <CardProblem title={words.failed} message={reasonOf(problem)} onRetry={mesh.retry} />;
  if (shown === null) return <div class="kind-card__skeleton" />;
  const unreadable = shown.model.data.header.problem;
  if (stageKind.value !== null && unreadable !== null) {
    return (
      <div class="card__message" role="alert" data-drawn={0} data-step={shown.step}>
        <strong>{words.failed}</strong>
        <span>{explainedText(unreadable)}</span>
      </div>
    );
  }
  if (stageKind.value !== null && shown.model.vertex.length === 0) {
    return (
      <div class="card__message" data-drawn={0} data-step={shown.step}>
        <strong>{words.empty}</strong>
        <span>{words.emptyHint}</span>
      </div>
    );
  }
  const onPicture = (picture: (() => Promise<Blob | null>) | null): void => {
    if (picture === null) onDisplay.delete(card.key);
    else onDisplay.set(card.key, { shown, picture });
  };
  return (
    <>
      {stageKind.value === null ? (
        <div class="kind-card__skeleton" />
      ) : (
        <MeshView cardKey={card.key} name={meshName(card.tag)} shown={shown} full={full} onPicture={onPicture} />
      )}
      {unreadable === null && shown.model.vertex.length > 0 && (
        <Counts data={shown.model.data} broken={shown.model.config.broken} />
      )}
    </>
  );
}

function Counts({ data, broken }: { readonly data: MeshData; readonly broken: boolean }): JSX.Element {
  const words = spoken(meshWords);
  const { header } = data;
  const notes = [...notesOf(data), ...(broken ? [words.brokenConfig] : [])];
  const plain = stageKind.value === "plain";
  const count = data.face === null ? words.points : words.vertices;
  return (
    <span class="mesh-card__counts">
      <span>{count(formatCount(header.vertices))}</span>
      {data.face !== null && <span>{words.faces(formatCount(header.faces))}</span>}
      {plain && (
        <span class="mesh-card__plain" title={`${words.plain}. ${words.plainHint}`} data-testid="mesh-plain">
          <Icon name="info" />
          {words.noWebgl}
        </span>
      )}
      {notes.length > 0 && (
        <span
          class="mesh-card__notes"
          role="img"
          aria-label={`${words.notes}: ${notes.join(" ")}`}
          title={notes.join("\n")}
          data-testid="mesh-notes"
        >
          <Icon name="warning" />
        </span>
      )}
    </span>
  );
}

function notesOf({ header, vertex }: MeshData): readonly string[] {
  const words = spoken(meshWords);
  const count = (n: number): string => formatCount(n);
  return [
    ...(header.thinned ? [words.thinned(count(vertex.length / 3), count(header.vertices))] : []),
    ...(header.dropped_vertices > 0 ? [words.droppedVertices(count(header.dropped_vertices))] : []),
    ...(header.dropped_faces > 0 ? [words.droppedFaces(count(header.dropped_faces))] : []),
    ...(header.unmatched_colors > 0 ? [words.unmatchedColors(count(header.unmatched_colors))] : []),
    ...header.parts
      .filter(({ step }) => String(step) !== String(header.step))
      .map(({ part, step }) => words.otherStep(words.parts[part], formatStep(step))),
    ...header.unusable.map((part) => words.unusable(words.parts[part])),
    ...header.missing.map((part) => words.missing(words.parts[part])),
  ];
}

export function meshMenu({ card }: KindCardProps): readonly MenuItem[] {
  const words = spoken(meshWords);
  const save = (ending: string, make: (data: MeshData) => Blob) => (): void => {
    const display = onDisplay.get(card.key);
    if (display !== undefined)
      saveFile(nameOf(card.tag, card.run, display.shown.step, ending), make(display.shown.model.data));
  };
  const picture = (): void => {
    const display = onDisplay.get(card.key);
    void display?.picture().then((blob) => {
      if (blob !== null) saveFile(nameOf(card.tag, card.run, display.shown.step, "png"), blob);
    });
  };
  return [
    { label: words.picture, icon: "download", onSelect: picture },
    { label: words.obj, icon: "download", onSelect: save("obj", objFile) },
    { label: words.ply, icon: "download", onSelect: save("ply", plyFile) },
  ];
}

function nameOf(tag: string, run: string, step: string, ending: string): string {
  return fileName([meshName(tag), run, step].filter((part) => part !== "").join("_"), ending);
}
