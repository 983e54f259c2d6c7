// An animated image with the controls of a film: play, frame by frame, in sync with others. If the browser has no
// ImageDecoder (it needs https or localhost), a plain <img> plays the animation.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { GifFrames } from "../base/gif";
import { addFilm } from "./film";
import { FilmBar } from "./film_bar";
import { setFilmOfCard } from "./films_of_cards";
import { GifFilm } from "./gif_film";
import "./gif_player.css";

type Properties = {
  readonly cardKey: string;
  /** URL of the image as it was logged. */
  readonly url: string;
  readonly label: string;
  readonly step: string;
  /** URL of an already loaded thumbnail, shown until the frames are decoded. */
  readonly still?: string | undefined;
  /** CSS filters of the page: brightness, contrast. */
  readonly style?: Readonly<Record<string, string>> | undefined;
  readonly onClick?: (() => void) | undefined;
};

export { isInSight } from "./gif_film";

const reduced = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

export function GifPlayer(properties: Properties): JSX.Element {
  const { cardKey, url, label } = properties;
  const film = useMemo(() => new GifFilm(), []);
  useEffect(() => {
    const away = [addFilm(film), setFilmOfCard(cardKey, film)];
    return () => {
      for (const take of away) take();
    };
  }, [film, cardKey]);
  useEffect(() => film.open(url), [film, url]);
  const frames = film.frames.value;
  if (film.plain.value || frames === null) return <Still film={film} properties={properties} />;
  return (
    <div class="gif-player">
      <div class="gif-player__place">
        <FilmCanvas film={film} frames={frames} properties={properties} />
      </div>
      <FilmBar film={film} label={label} />
    </div>
  );
}

type Inside = { readonly film: GifFilm; readonly properties: Properties };

/** Shown until the frames are decoded, or instead of them. */
function Still({ film, properties: { url, still, label, step, style, onClick } }: Inside): JSX.Element {
  const plain = film.plain.value;
  return (
    <div class="gif-player">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the card's own button does the same by keys */}
      <img
        class="gif-player__picture"
        src={plain ? url : (still ?? url)}
        alt={label}
        style={style}
        data-step={plain ? step : undefined}
        data-drawn={plain ? 1 : undefined}
        data-testid="gif"
        onClick={onClick}
      />
    </div>
  );
}

function FilmCanvas({ film, frames, properties }: Inside & { readonly frames: GifFrames }): JSX.Element {
  const { label, step, style, onClick } = properties;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    film.attach(canvas.current);
    // plays automatically, unless the user prefers reduced motion
    if (reduced?.matches !== true && film.drawn.peek() === 0) film.play();
    return () => film.attach(null);
  }, [film, frames]);
  return (
    <canvas
      ref={canvas}
      class={frames.widthPx < 200 ? "gif-player__picture gif-player__picture--small" : "gif-player__picture"}
      width={frames.widthPx}
      height={frames.heightPx}
      role="img"
      aria-label={label}
      style={style}
      data-drawn={film.drawn.value}
      data-frame={film.shown.value}
      data-step={step}
      data-testid="gif"
      onClick={onClick}
    />
  );
}
