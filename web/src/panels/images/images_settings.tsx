// Settings of images: of the time series page, and of the images page, which has a few more.

import type { JSX } from "preact";
import * as imagesWords from "../../state/texts/images";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Slider } from "../../widgets/slider";
import { anyOverlays } from "./picture_facts";
import { toggleLink } from "./zoom_choice";

/** All settings of the images page. */
export function ImagesOptions(): JSX.Element {
  const words = spoken(imagesWords);
  const { imagesLayout, imagesCell, imagesLink, imagesOverlays } = view.value;
  return (
    <>
      {imagesLayout === "grid" && (
        <Slider
          label={words.cell}
          value={imagesCell}
          min={80}
          max={640}
          step={20}
          testId="images-cell"
          onInput={(value) => changeView({ imagesCell: value })}
        />
      )}
      <ImagesSettings />
      <Checkbox
        label={words.link}
        title={words.linkHint}
        checked={imagesLink}
        testId="images-link"
        onChange={toggleLink}
      />
      {anyOverlays.value && (
        <Checkbox
          label={words.overlays}
          title={words.overlaysHint}
          checked={imagesOverlays}
          testId="images-overlays"
          onChange={(on) => changeView({ imagesOverlays: on })}
        />
      )}
    </>
  );
}

export function ImagesSettings(): JSX.Element {
  const words = spoken(imagesWords);
  const { imagesBrightness, imagesContrast, imagesActual } = view.value;
  return (
    <>
      <Slider
        label={words.brightness}
        value={imagesBrightness}
        min={0}
        max={2}
        step={0.05}
        numberField={{ max: 4, step: 0.05 }}
        testId="pane-brightness"
        onInput={(value) => changeView({ imagesBrightness: value })}
      />
      <Slider
        label={words.contrast}
        value={imagesContrast}
        min={0}
        max={4}
        step={0.1}
        numberField={{ max: 8, step: 0.1 }}
        testId="pane-contrast"
        onInput={(value) => changeView({ imagesContrast: value })}
      />
      <Checkbox
        label={words.actual}
        checked={imagesActual}
        testId="pane-actual"
        onChange={(on) => changeView({ imagesActual: on })}
      />
      {(imagesBrightness !== 1 || imagesContrast !== 1) && (
        <Button
          label={words.resetLook}
          title={words.resetLook}
          testId="images-reset"
          onClick={() => changeView({ imagesBrightness: 1, imagesContrast: 1 })}
        />
      )}
    </>
  );
}
