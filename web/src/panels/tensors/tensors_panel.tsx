// The page of tensors that no other page can show.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { TENSOR_VIEWS } from "../../state/members/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { changeView, member, spoken, view } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { Choice } from "../../widgets/choice";
import { TensorCard, tensorMenu } from "./tensor_card";

const cardHeight = member("cardHeight");

// statistics and heat map need more height than a chart
const LEAST_PX = 330;

export function TensorsPanel(): JSX.Element {
  return (
    <KindPage
      kind="tensors"
      words={spoken(tensorsWords)}
      toolbar={<Toolbar />}
      options={view.value.tensorsView === "map" && <Options />}
      card={TensorCard}
      menu={tensorMenu}
      height={() => Math.max(LEAST_PX, cardHeight.value)}
      leastWidthPx={340}
    />
  );
}

function Toolbar(): JSX.Element {
  const words = spoken(tensorsWords);
  return (
    <Choice
      label={words.show}
      value={view.value.tensorsView}
      options={TENSOR_VIEWS.map((value) => ({ value, label: words.views[value] }))}
      testId="tensors"
      onChoose={(chosen) => changeView({ tensorsView: chosen })}
    />
  );
}

function Options(): JSX.Element {
  const words = spoken(tensorsWords);
  return (
    <Checkbox
      label={words.ownRange}
      title={words.ownRangeHint}
      checked={view.value.tensorsOwnRange}
      testId="tensors-own-range"
      onChange={(on) => changeView({ tensorsOwnRange: on })}
    />
  );
}
