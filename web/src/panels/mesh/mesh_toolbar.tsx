// Toolbar of all meshes: the camera; and their settings: point size, axes, wireframe, up axis, how they are drawn.

import type { JSX } from "preact";
import { MESH_PAINTERS, MESH_UPS, MESH_VIEWS } from "../../state/members/mesh";
import * as meshWords from "../../state/texts/mesh";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { anyMoved, resetCameras } from "./cameras";
import "./mesh_toolbar.css";

export function MeshToolbar(): JSX.Element {
  const words = spoken(meshWords);
  const { meshView } = view.value;
  return (
    <>
      <span class="mesh-toolbar__part" title={words.viewHints[meshView]}>
        <span aria-hidden="true">{words.view}</span>
        <Select
          label={words.view}
          bare
          value={meshView}
          options={MESH_VIEWS.map((value) => ({ value, label: words.views[value] }))}
          testId="mesh-view"
          onChange={(value) => changeView({ meshView: value })}
        />
      </span>
      {anyMoved() && (
        <Button kind="quiet" icon="reset" title={words.resetAll} testId="mesh-reset-all" onClick={resetCameras} />
      )}
    </>
  );
}

export function MeshOptions(): JSX.Element {
  const words = spoken(meshWords);
  const { meshPointSize, meshGrid, meshUp, meshWires, meshPainter } = view.value;
  const size = meshPointSize === 0 ? words.pointSizeAuto : meshPointSize;
  return (
    <>
      <Slider
        label={`${words.pointSize}: ${size}`}
        value={meshPointSize}
        min={0}
        max={12}
        step={0.5}
        testId="mesh-point-size"
        onInput={(value) => changeView({ meshPointSize: value })}
      />
      <Checkbox
        label={words.grid}
        checked={meshGrid}
        testId="mesh-grid"
        onChange={(on) => changeView({ meshGrid: on })}
      />
      <Checkbox
        label={words.wires}
        checked={meshWires}
        testId="mesh-wires"
        onChange={(on) => changeView({ meshWires: on })}
      />
      <Select
        label={words.upAxis}
        value={meshUp}
        options={MESH_UPS.map((axis) => ({ value: axis, label: words.up(axis) }))}
        testId="mesh-up"
        onChange={(axis) => changeView({ meshUp: axis })}
      />
      <Select
        label={words.painter}
        value={meshPainter}
        options={MESH_PAINTERS.map((painter) => ({ value: painter, label: words.painters[painter] }))}
        testId="mesh-painter"
        onChange={(painter) => changeView({ meshPainter: painter })}
      />
    </>
  );
}
