// Toolbar of the audio page: what is drawn of all clips, and the volume.

import type { JSX } from "preact";
import * as audioWords from "../../state/texts/audio";
import { changeView, spoken, view } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import "./audio_toolbar.css";

export function AudioToolbar(): JSX.Element {
  const words = spoken(audioWords);
  const { audioShow, audioVolume } = view.value;
  return (
    <>
      <span class="audio-toolbar__choice" title={words.show}>
        <Select
          label={words.show}
          bare
          value={audioShow}
          options={(["both", "waveform", "spectrogram"] as const).map((value) => ({ value, label: words[value] }))}
          testId="audio-show"
          onChange={(value) => changeView({ audioShow: value })}
        />
      </span>
      <span class="audio-toolbar__volume" title={words.volume}>
        <Icon name={audioVolume === 0 ? "mute" : "volume"} />
        <Slider
          label={words.volume}
          bare
          value={audioVolume}
          min={0}
          max={1}
          step={0.05}
          testId="audio-volume"
          onInput={(value) => changeView({ audioVolume: value })}
        />
      </span>
    </>
  );
}

export function AudioOptions(): JSX.Element | null {
  const words = spoken(audioWords);
  const { audioShow, audioScale } = view.value;
  if (audioShow === "waveform") return null;
  return (
    <Select
      label={words.scale}
      value={audioScale}
      options={(["log", "linear"] as const).map((value) => ({ value, label: words[value] }))}
      testId="audio-scale"
      onChange={(value) => changeView({ audioScale: value })}
    />
  );
}
