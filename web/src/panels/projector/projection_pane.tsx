// How points are arranged: the method, what it may be told, and how far it has come.

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
        {only.value === null
          ? method !== "pca" && method !== "custom" && <p class="projector-pane__hint">{words.allPoints}</p>
          : only.value.length > 0 && (
              <p class="projector-pane__hint" data-testid="projector-of-shown">
                {words.ofShown(grouped(only.value.length))}
              </p>
            )}
        <Progress />
      </div>
    </details>
  );
}

function Progress(): JSX.Element | null {
  const words = spoken(projectorWords);
  const { projectorMethod: method } = view.value;
  const status = layoutStatus.value;
  const problem = layoutProblem.value;
  const heavy = method === "umap" || method === "tsne";
  const busy = status !== null && (status.state === "running" || status.state === "waiting");
  const paused = status?.state === "paused";
  const phase = status === null ? "" : (words.phases[status.phase] ?? words.states[status.state]);
  const told = status === null ? "" : busy && status.state !== "waiting" ? phase : words.states[status.state];
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
      {status !== null && (heavy || busy) && (
        <>
          <div class="projector-progress__line" role="status">
            <span>{told}</span>
            {method === "tsne" ? (
              <span data-testid="projector-iteration">{words.iteration(String(status.iteration))}</span>
            ) : (
              busy && <span>{Math.round(100 * status.progress)}%</span>
            )}
          </div>
          {(busy || paused) && (
            <progress
              aria-label={told}
              max={1}
              value={status.state === "waiting" || status.progress <= 0 ? undefined : status.progress}
            />
          )}
        </>
      )}
      <div class="projector-progress__buttons">
        {heavy && !busy && !paused && (
          <Button
            kind={layoutWaits.value || status === null ? "primary" : "plain"}
            icon="play"
            label={status === null ? words.start : words.restart}
            title={status === null ? words.start : words.restart}
            testId="projector-run-layout"
            onClick={runLayout}
          />
        )}
        {method === "tsne" && status !== null && status.state !== "failed" && (
          <>
            <Button
              icon={busy ? "pause" : "play"}
              label={busy ? words.pause : words.resume}
              title={busy ? words.pause : words.resume}
              testId="projector-pause"
              onClick={() => steer(busy ? "pause" : "resume")}
            />
            {(busy || paused) && (
              <Button label={words.stop} title={words.stop} testId="projector-stop" onClick={() => steer("stop")} />
            )}
            <Button
              label={words.perturb}
              title={words.perturbHint}
              testId="projector-perturb"
              onClick={() => steer("perturb")}
            />
          </>
        )}
        {busy && method !== "tsne" && (
          <Button label={words.cancel} title={words.cancel} testId="projector-cancel" onClick={cancelRunning} />
        )}
      </div>
    </div>
  );
}
