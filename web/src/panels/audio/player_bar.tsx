// The controls below a clip: play, time, speed, loop, volume. Speed, loop and volume apply to all clips.

import type { JSX } from "preact";
import { formatPlayTime } from "../../base/play_time";
import * as audioWords from "../../state/texts/audio";
import { changeView, member, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import type { Player } from "./player";
import "./player_bar.css";

const volume = member("audioVolume");
const speed = member("audioSpeed");
const loop = member("audioLoop");

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4];

/** Volume before it was muted. */
let lastVolume = 1;

type Properties = {
  readonly player: Player;
  readonly seconds: number | null;
  readonly playable: boolean;
  /** There is space for the volume slider. */
  readonly wide: boolean;
  readonly children?: JSX.Element | null;
};

export function PlayerBar({ player, seconds, playable, wide, children }: Properties): JSX.Element {
  const words = spoken(audioWords);
  const playing = player.playing.value;
  const speeds = SPEEDS.includes(speed.value) ? SPEEDS : [...SPEEDS, speed.value].sort((a, b) => a - b);
  return (
    <div class="player-bar">
      <Button
        kind="quiet"
        icon={playing ? "pause" : "play"}
        title={playing ? words.pause : words.play}
        disabled={!playable}
        testId="audio-play"
        onClick={player.toggle}
      />
      <PlayTime player={player} seconds={seconds} />
      <span class="player-bar__room" />
      {children}
      <span class="player-bar__speed" title={words.speed}>
        <Select
          label={words.speed}
          bare
          value={String(speed.value)}
          options={speeds.map((one) => ({ value: String(one), label: `${one}×` }))}
          testId="audio-speed"
          onChange={(value) => changeView({ audioSpeed: Number(value) })}
        />
      </span>
      <Button
        kind="quiet"
        icon="loop"
        title={words.loopHint}
        pressed={loop.value}
        testId="audio-loop"
        onClick={() => changeView({ audioLoop: !loop.value })}
      />
      <Volume wide={wide} />
    </div>
  );
}

function Volume({ wide }: Pick<Properties, "wide">): JSX.Element {
  const words = spoken(audioWords);
  const muted = volume.value === 0;
  return (
    <>
      <Button
        kind="quiet"
        icon={muted ? "mute" : "volume"}
        title={muted ? words.unmute : words.mute}
        testId="audio-mute"
        onClick={() => {
          if (!muted) lastVolume = volume.value;
          changeView({ audioVolume: muted ? lastVolume : 0 });
        }}
      />
      {wide && (
        <span class="player-bar__volume">
          <Slider
            label={words.volume}
            bare
            value={volume.value}
            min={0}
            max={1}
            step={0.05}
            onInput={(value) => changeView({ audioVolume: value })}
          />
        </span>
      )}
    </>
  );
}

/** A separate component, because it is rendered again for every frame. */
function PlayTime({ player, seconds }: { readonly player: Player; readonly seconds: number | null }): JSX.Element {
  const whole = seconds ?? 0;
  return (
    <span class="player-bar__time" data-testid="audio-time">
      {formatPlayTime(player.time.value, whole)}
      <span class="player-bar__whole"> / {seconds === null ? "–" : formatPlayTime(whole, whole)}</span>
    </span>
  );
}
