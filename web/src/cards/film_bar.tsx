// The controls below a film: play, frame by frame, a slider to seek, time and frame number.

import type { JSX } from "preact";
import { formatPlayTime } from "../base/play_time";
import * as videoWords from "../state/texts/video";
import { spoken } from "../state/view";
import { Button } from "../widgets/button";
import { type Film, frameAt, seekFilm, stepFrames, togglePlay } from "./film";
import "./film_bar.css";

type Properties = { readonly film: Film; readonly label: string; readonly disabled?: boolean | undefined };

export function FilmBar({ film, label, disabled = false }: Properties): JSX.Element {
  return (
    <div class="film-bar">
      <FilmButtons film={film} disabled={disabled} />
      <FilmRange film={film} label={label} disabled={disabled} />
      <FilmTime film={film} />
    </div>
  );
}

/** Returns the current time and the duration in seconds; 0 while unknown. */
function timeOf(film: Film): { readonly time: number; readonly seconds: number } {
  const seconds = film.seconds.value ?? 0;
  return { time: Math.min(film.time.value, seconds || Number.POSITIVE_INFINITY), seconds };
}

function FilmButtons({ film, disabled }: { readonly film: Film; readonly disabled: boolean }): JSX.Element {
  const words = spoken(videoWords);
  const playing = film.playing.value;
  return (
    <>
      <Button
        kind="quiet"
        icon={playing ? "pause" : "play"}
        title={playing ? words.pause : words.play}
        disabled={disabled}
        testId="film-play"
        onClick={() => togglePlay(film)}
      />
      <Button
        kind="quiet"
        icon="frame-back"
        title={words.previousFrame}
        disabled={disabled}
        testId="film-back"
        onClick={() => stepFrames(film, -1)}
      />
      <Button
        kind="quiet"
        icon="frame-next"
        title={words.nextFrame}
        disabled={disabled}
        testId="film-next"
        onClick={() => stepFrames(film, 1)}
      />
    </>
  );
}

function FilmRange({ film, label, disabled = false }: Properties): JSX.Element {
  const words = spoken(videoWords);
  const { time, seconds } = timeOf(film);
  return (
    <input
      class="slider__range film-bar__range"
      type="range"
      aria-label={words.position(label)}
      aria-valuetext={formatPlayTime(time, seconds)}
      min={0}
      max={seconds}
      step="any"
      value={time}
      disabled={disabled || seconds === 0}
      data-testid="film-range"
      onInput={(event) => seekFilm(film, event.currentTarget.valueAsNumber)}
      onKeyDown={(event) => {
        // arrows step one frame; the default would be a hundredth of the duration
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        event.preventDefault();
        stepFrames(film, event.key === "ArrowLeft" ? -1 : 1);
      }}
    />
  );
}

function FilmTime({ film }: { readonly film: Film }): JSX.Element {
  const words = spoken(videoWords);
  const { time, seconds } = timeOf(film);
  const times = film.times.value;
  const frame = frameAt(times, time);
  return (
    <span
      class="film-bar__time"
      title={frame === -1 ? undefined : words.frame(frame + 1, times.length)}
      data-testid="film-time"
      data-frame={frame === -1 ? undefined : frame}
    >
      {formatPlayTime(time, seconds)}
      {frame !== -1 && (
        <span class="film-bar__frame">
          {" "}
          {frame + 1}/{times.length}
        </span>
      )}
    </span>
  );
}
