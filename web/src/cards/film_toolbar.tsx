// Settings for all films of a page: play all, link, speed, loop, sound.

import type { JSX } from "preact";
import * as videoWords from "../state/texts/video";
import { changeView, spoken, view } from "../state/view";
import { Button } from "../widgets/button";
import { Select } from "../widgets/select";
import { anyPlaying, filmCount, toggleAll } from "./film";
import "./film_toolbar.css";

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8];

/** `sound`: films of this page may have sound. */
export function FilmToolbar({ sound = false }: { readonly sound?: boolean }): JSX.Element {
  const words = spoken(videoWords);
  const { videoLoop, videoLink, videoSound } = view.value;
  const playing = anyPlaying.value;
  return (
    <>
      <Button
        icon={playing ? "pause" : "play"}
        label={playing ? words.pauseAll : words.playAll}
        title={words.playAllHint}
        disabled={filmCount.value === 0}
        testId="video-all"
        onClick={toggleAll}
      />
      <Button
        icon="link"
        label={words.link}
        title={words.linkHint}
        pressed={videoLink}
        testId="video-link"
        onClick={() => changeView({ videoLink: !videoLink })}
      />
      <SpeedChoice />
      <Button
        icon="loop"
        title={words.loopHint}
        pressed={videoLoop}
        testId="video-loop"
        onClick={() => changeView({ videoLoop: !videoLoop })}
      />
      {sound && (
        <Button
          icon={videoSound ? "volume" : "mute"}
          title={words.soundHint}
          pressed={videoSound}
          testId="video-sound"
          onClick={() => changeView({ videoSound: !videoSound })}
        />
      )}
    </>
  );
}

function SpeedChoice(): JSX.Element {
  const words = spoken(videoWords);
  const { videoSpeed } = view.value;
  const speeds = SPEEDS.includes(videoSpeed) ? SPEEDS : [...SPEEDS, videoSpeed].sort((a, b) => a - b);
  return (
    <span class="film-toolbar__speed" title={words.speed}>
      <Select
        label={words.speed}
        bare
        value={String(videoSpeed)}
        options={speeds.map((one) => ({ value: String(one), label: `${one}×` }))}
        testId="video-speed"
        onChange={(value) => changeView({ videoSpeed: Number(value) })}
      />
    </span>
  );
}
