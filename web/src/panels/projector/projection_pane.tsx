// Controls of the projection: the method, its options and its progress.

import type { JSX } from "preact";
import { PROJECTOR_METHODS } from "../../state/members/projector";
import { columnNames, embedding } from "../../state/projector";
import {
  cancelRunning,
  layoutProblem,
  layoutStatus,
  layoutWaits,
  runLayout,
  steer,
} from "../../state/projector_layout";
import { only } from "../../state/projector_only";
import * as projectorWords from "../../state/texts/projector";
import { changeView, grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Choice } from "../../widgets/choice";
import { Icon } from "../../widgets/icons";
import { CustomForm } from "./custom_form";
import { PcaForm } from "./pca_form";
import { TsneForm } from "./tsne_form";
import { UmapForm } from "./umap_form";

export function ProjectionPane(): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorMethod: method, projectorSphereize, projectorDims } = view.value;
  return (
    <details class="projector-pane" open data-testid="projector-projection">
      <summary>{words.projection}</summary>
      <div class="projector-pane__inside">
        <Choice
          label={words.projection}
          value={method}
          options={PROJECTOR_METHODS.map((value) => ({
            value,
            label: words.methods[value],
            title: words.methodHints[value],
          }))}
          testId="projector-method"
          onChoose={(value) => changeView({ projectorMethod: value, projectorCamera: null }, { apart: true })}
        />
        <div class="projector-pane__row projector-pane__row--wrap">
          {method !== "custom" && (
            <Choice
              label={words.dimensions}
              value={projectorDims === 2 ? "2" : "3"}
              options={[
                { value: "2", label: "2D" },
                { value: "3", label: "3D" },
              ]}
              testId="projector-dims"
              onChoose={(value) => changeView({ projectorDims: Number(value), projectorCamera: null }, { apart: true })}
            />
          )}
          <Checkbox
            label={words.sphereize}
            title={words.sphereizeHint}
            checked={projectorSphereize}
            testId="projector-sphereize"
            onChange={(checked) => changeView({ projectorSphereize: checked })}
          />
        </div>
        {method === "pca" && <PcaForm />}
        {method === "umap" && <UmapForm />}
        {method === "tsne" && <TsneForm />}
        {method === "custom" && (columnNames.value.length === 0 ? <p>{words.noColumns}</p> : <CustomForm />)}
        <OfWhich />
        <Progress />
      </div>
    </details>
  );
}

/** Says which points the method uses. */
function OfWhich(): JSX.Element | null {
  const words = spoken(projectorWords);
  const { projectorMethod: method } = view.value;
  if (only.value === null) {
    if (method === "pca" || method === "custom") return null;
    return <p class="projector-pane__hint">{words.allPoints}</p>;
  }
  if (only.value.length === 0) return null;
  return (
    <p class="projector-pane__hint" data-testid="projector-of-shown">
      {words.ofShown(grouped(only.value.length))}
    </p>
  );
}

type Status = NonNullable<typeof layoutStatus.value>;

function isBusy(status: Status | null): boolean {
  return status !== null && (status.state === "running" || status.state === "waiting");
}

function Progress(): JSX.Element | null {
  const words = spoken(projectorWords);
  const { projectorMethod: method } = view.value;
  const status = layoutStatus.value;
  const problem = layoutProblem.value;
  const heavy = method === "umap" || method === "tsne";
  return (
    <div class="projector-progress" data-testid="projector-progress" data-state={status?.state ?? ""}>
      {problem !== null && (
        <div class="projector-problem" role="alert">
          <Icon name="warning" />
          <div>
            <strong>{words.layoutFailed}</strong>
            <p>{problem.message}</p>
            {problem.hint !== "" && <p>{problem.hint}</p>}
          </div>
        </div>
      )}
      {layoutWaits.value && (
        <p class="projector-pane__hint">
          {words.waiting(words.points(grouped(only.value?.length ?? embedding.value?.rows ?? 0)))}
        </p>
      )}
      {status !== null && (heavy || isBusy(status)) && <ProgressLine status={status} />}
      <ProgressButtons status={status} heavy={heavy} />
    </div>
  );
}

function ProgressLine({ status }: { readonly status: Status }): JSX.Element {
  const words = spoken(projectorWords);
  const busy = isBusy(status);
  const phase = words.phases[status.phase] ?? words.states[status.state];
  const text = busy && status.state !== "waiting" ? phase : words.states[status.state];
  return (
    <>
      <div class="projector-progress__line" role="status">
        <span>{text}</span>
        {view.value.projectorMethod === "tsne" ? (
          <span data-testid="projector-iteration">{words.iteration(String(status.iteration))}</span>
        ) : (
          busy && <span>{Math.round(100 * status.progress)}%</span>
        )}
      </div>
      {(busy || status.state === "paused") && (
        <progress
          aria-label={text}
          max={1}
          value={status.state === "waiting" || status.progress <= 0 ? undefined : status.progress}
        />
      )}
    </>
  );
}

type ButtonsProps = { readonly status: Status | null; readonly heavy: boolean };

function ProgressButtons({ status, heavy }: ButtonsProps): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorMethod: method } = view.value;
  const busy = isBusy(status);
  const start = status === null ? words.start : words.restart;
  return (
    <div class="projector-progress__buttons">
      {heavy && !busy && status?.state !== "paused" && (
        <Button
          kind={layoutWaits.value || status === null ? "primary" : "plain"}
          icon="play"
          label={start}
          title={start}
          testId="projector-run-layout"
          onClick={runLayout}
        />
      )}
      {method === "tsne" && status !== null && status.state !== "failed" && <TsneButtons status={status} />}
      {busy && method !== "tsne" && (
        <Button label={words.cancel} title={words.cancel} testId="projector-cancel" onClick={cancelRunning} />
      )}
    </div>
  );
}

/** Buttons of t-SNE, which runs until the user stops it. */
function TsneButtons({ status }: { readonly status: Status }): JSX.Element {
  const words = spoken(projectorWords);
  const busy = isBusy(status);
  return (
    <>
      <Button
        icon={busy ? "pause" : "play"}
        label={busy ? words.pause : words.resume}
        title={busy ? words.pause : words.resume}
        testId="projector-pause"
        onClick={() => steer(busy ? "pause" : "resume")}
      />
      {(busy || status.state === "paused") && (
        <Button label={words.stop} title={words.stop} testId="projector-stop" onClick={() => steer("stop")} />
      )}
      <Button
        label={words.perturb}
        title={words.perturbHint}
        testId="projector-perturb"
        onClick={() => steer("perturb")}
      />
    </>
  );
}
