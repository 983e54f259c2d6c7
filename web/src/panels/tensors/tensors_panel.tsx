// The page of tensors that no other page can show.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { TENSOR_VIEWS } from "../../state/members/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { changeView, member, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
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
      card={TensorCard}
      menu={tensorMenu}
      height={() => Math.max(LEAST_PX, cardHeight.value)}
      leastWidthPx={340}
    />
  );
}

function Toolbar(): JSX.Element {
  const words = spoken(tensorsWords);
  const { tensorsView, tensorsOwnRange } = view.value;
  return (
    <>
      <Choice
        label={words.show}
        value={tensorsView}
        options={TENSOR_VIEWS.map((value) => ({ value, label: words.views[value] }))}
        testId="tensors"
        onChoose={(chosen) => changeView({ tensorsView: chosen })}
      />
      {tensorsView === "map" && (
        <Button
          icon="contrast"
          label={words.ownRange}
          title={words.ownRangeHint}
          pressed={tensorsOwnRange}
          testId="tensors-own-range"
          onClick={() => changeView({ tensorsOwnRange: !tensorsOwnRange })}
        />
      )}
    </>
  );
}
