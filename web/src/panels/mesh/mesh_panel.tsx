// The page of meshes and point clouds.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followColors } from "../../cards/chart_colors";
import { KindPage } from "../../cards/kind_page";
import { meshName, withVertices } from "../../state/mesh_names";
import * as meshWords from "../../state/texts/mesh";
import { spoken, view } from "../../state/view";
import { MeshCard, meshMenu } from "./mesh_card";
import { MeshOptions, MeshToolbar } from "./mesh_toolbar";
import { prepareStage } from "./stage";

export function MeshPanel(): JSX.Element {
  const painter = view.value.meshPainter;
  useEffect(() => prepareStage(painter), [painter]);
  useEffect(followColors, []);
  return (
    <KindPage
      kind="mesh"
      words={spoken(meshWords)}
      tags={withVertices}
      name={meshName}
      toolbar={<MeshToolbar />}
      options={<MeshOptions />}
      card={MeshCard}
      menu={meshMenu}
    />
  );
}
