// How all meshes are shown: from where, which way is up, how large points are, with axes or as wires.

import type { JSX } from "preact";
import { changeView, MESH_UPS, MESH_VIEWS, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { anyMoved, resetCameras } from "./cameras";
import "./mesh_toolbar.css";

export function MeshToolbar(): JSX.Element {
  const words = texts.value.mesh;
  const { meshView, meshUp, meshPointSize, meshGrid, meshWires } = view.value;
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
      <span class="mesh-toolbar__part">
        <span aria-hidden="true">{words.up}</span>
        <Select
          label={words.up}
          bare
          value={meshUp}
          options={MESH_UPS.map((value) => ({ value, label: value }))}
          testId="mesh-up"
          onChange={(value) => changeView({ meshUp: value })}
        />
      </span>
      <span
        class="mesh-toolbar__part"
        title={`${words.pointSize}: ${meshPointSize === 0 ? words.pointSizeAuto : meshPointSize}`}
      >
        <span aria-hidden="true">{words.pointSize}</span>
        <Slider
          label={words.pointSize}
          bare
          value={meshPointSize}
          min={0}
          max={12}
          step={0.5}
          testId="mesh-point-size"
          onInput={(value) => changeView({ meshPointSize: value })}
        />
      </span>
      <Button
        icon="axes"
        label={words.grid}
        title={words.grid}
        pressed={meshGrid}
        testId="mesh-grid"
        onClick={() => changeView({ meshGrid: !meshGrid })}
      />
      <Button
        icon="wires"
        label={words.wires}
        title={words.wires}
        pressed={meshWires}
        testId="mesh-wires"
        onClick={() => changeView({ meshWires: !meshWires })}
      />
      {anyMoved() && (
        <Button kind="quiet" icon="reset" title={words.resetAll} testId="mesh-reset-all" onClick={resetCameras} />
      )}
    </>
  );
}
