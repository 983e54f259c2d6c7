// The options of UMAP.

import type { JSX } from "preact";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { Slider } from "../../widgets/slider";

export function UmapForm(): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorNeighbors, projectorMinDistance } = view.value;
  return (
    <>
      <div title={words.neighborsHint}>
        <Slider
          label={words.neighbors}
          value={projectorNeighbors}
          min={5}
          max={50}
          step={1}
          numberField={{ max: 200, step: 1 }}
          testId="projector-neighbors"
          onInput={(value) => changeView({ projectorNeighbors: Math.round(value) })}
        />
      </div>
      <div title={words.minDistanceHint}>
        <Slider
          label={words.minDistance}
          value={projectorMinDistance}
          min={0}
          max={0.99}
          step={0.01}
          numberField={{ max: 0.99, step: 0.01 }}
          testId="projector-min-distance"
          onInput={(value) => changeView({ projectorMinDistance: value })}
        />
      </div>
    </>
  );
}
