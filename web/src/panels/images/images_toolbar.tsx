// Toolbar of all images: cards or grid, comparison.

import type { JSX } from "preact";
import { IMAGES_MODES } from "../../state/members/images";
import type { ComparedWith } from "../../state/members/shared";
import { shownName } from "../../state/runs";
import * as imagesWords from "../../state/texts/images";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Choice } from "../../widgets/choice";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { resumeBlink, turnOver } from "./blink";
import { ALL, chooseOther, FIRST_STEP, firstForAll, NEWEST_STEP, ownOther, runsWithImages } from "./comparing";
import "./images_toolbar.css";
import { anyZoom, wholeAgain } from "./zoom_choice";

export function ImagesToolbar(): JSX.Element {
  const words = spoken(imagesWords);
  const grid = view.value.imagesLayout === "grid";
  const other = ownOther(ALL);
  return (
    <>
      <Button
        icon="table"
        label={words.grid}
        title={words.gridHint}
        pressed={grid}
        testId="images-grid"
        onClick={() => changeView({ imagesLayout: grid ? "cards" : "grid" })}
      />
      {!grid && (
        <Button
          icon="compare"
          label={words.compare}
          title={words.compareHint}
          pressed={other !== null}
          testId="images-compare"
          onClick={() => chooseOther(ALL, other === null ? firstForAll() : null)}
        />
      )}
      {anyZoom() && <Button kind="quiet" icon="shrink" title={words.fitAll} testId="images-fit" onClick={wholeAgain} />}
      {!grid && Object.keys(view.value.imagesCompare).length > 0 && <Comparison other={other} />}
    </>
  );
}

/** A separate row: what B is for all cards, and how both images are shown. */
function Comparison({ other }: { readonly other: ComparedWith | null }): JSX.Element {
  const words = spoken(imagesWords);
  const { imagesMode, imagesAmplify } = view.value;
  return (
    <div class="images-toolbar__compare" data-testid="images-comparison">
      <Choice
        label={words.mode}
        value={imagesMode}
        options={IMAGES_MODES.map((value) => ({ value, label: words.modes[value] }))}
        testId="images-mode"
        onChoose={(mode) => {
          resumeBlink();
          changeView({ imagesMode: mode });
        }}
      />
      {other !== null && <OtherOfAll other={other} />}
      {imagesMode === "blink" && <Blinking />}
      {imagesMode === "difference" && (
        <div class="images-toolbar__look" title={words.amplify}>
          <span>{words.amplify}</span>
          <Slider
            label={words.amplify}
            bare
            value={Math.log2(imagesAmplify)}
            min={0}
            max={6}
            step={0.5}
            testId="images-amplify"
            onInput={(value) => changeView({ imagesAmplify: Math.round(10 * 2 ** value) / 10 })}
          />
          <span class="images-toolbar__value">{words.times(imagesAmplify)}</span>
        </div>
      )}
    </div>
  );
}

function Blinking(): JSX.Element {
  const words = spoken(imagesWords);
  const { imagesBlink } = view.value;
  return (
    <>
      <Button label={words.turn} title={words.turnHint} testId="images-turn" onClick={turnOver} />
      <div class="images-toolbar__look" title={words.pace}>
        <Slider
          label={words.pace}
          bare
          value={imagesBlink}
          min={200}
          max={3000}
          step={100}
          testId="images-pace"
          onInput={(value) => {
            resumeBlink();
            changeView({ imagesBlink: value });
          }}
        />
        <span class="images-toolbar__value">{words.perSecond((imagesBlink / 1000).toFixed(1))}</span>
      </div>
    </>
  );
}

const EACH = "\u0000";

function OtherOfAll({ other }: { readonly other: ComparedWith }): JSX.Element {
  const words = spoken(imagesWords);
  const runs = runsWithImages();
  const names = other.run === null || runs.includes(other.run) ? runs : [other.run, ...runs];
  const steps = [
    { value: "", label: words.steps.same, disabled: other.run === null },
    { value: FIRST_STEP, label: words.steps.first },
    { value: NEWEST_STEP, label: words.steps.newest },
  ];
  const known = steps.some(({ value }) => value === other.step);
  return (
    <div class="images-toolbar__other">
      <span class="images-toolbar__with">{words.with}</span>
      <Select
        label={words.otherRun}
        bare
        value={other.run ?? EACH}
        options={[
          { value: EACH, label: words.eachOwnRun },
          ...names.map((run) => ({ value: run, label: shownName(run) || JSON.stringify(run) })),
        ]}
        testId="images-with-run"
        onChange={(run) =>
          chooseOther(
            ALL,
            run === EACH ? { run: null, step: other.step === "" ? FIRST_STEP : other.step } : { run, step: other.step },
          )
        }
      />
      <Select
        label={words.otherStep}
        bare
        value={other.step}
        options={known ? steps : [...steps, { value: other.step, label: words.steps.own(other.step) }]}
        testId="images-with-step"
        onChange={(step) => chooseOther(ALL, { ...other, step })}
      />
    </div>
  );
}
