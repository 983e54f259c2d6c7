// Toolbar of all meshes: camera, up axis, point size, axes, wireframe.

import type { JSX } from "preact";
import { MESH_PAINTERS, MESH_UPS, MESH_VIEWS } from "../../state/members/mesh";
import * as meshWords from "../../state/texts/mesh";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Menu } from "../../widgets/menu";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { anyMoved, resetCameras } from "./cameras";
import "./mesh_toolbar.css";

export function MeshToolbar(): JSX.Element {
  const words = spoken(meshWords);
  const { meshView, meshPointSize, meshGrid } = view.value;
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
      <Display />
      {anyMoved() && (
        <Button kind="quiet" icon="reset" title={words.resetAll} testId="mesh-reset-all" onClick={resetCameras} />
      )}
    </>
  );
}

function Display(): JSX.Element {
  const words = spoken(meshWords);
  const { meshUp, meshWires, meshPainter } = view.value;
  return (
    <Menu
      label={words.display}
      showLabel
      kind="plain"
      testId="mesh-display"
      items={[
        { label: words.wires, checked: meshWires, onSelect: () => changeView({ meshWires: !meshWires }) },
        "separator",
        ...MESH_UPS.map((axis) => ({
          label: words.up(axis),
          checked: meshUp === axis,
          onSelect: () => changeView({ meshUp: axis }),
        })),
        { heading: words.painter },
        ...MESH_PAINTERS.map((painter) => ({
          label: words.painters[painter],
          checked: meshPainter === painter,
          onSelect: () => changeView({ meshPainter: painter }),
        })),
      ]}
    />
  );
}
