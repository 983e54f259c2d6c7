// Content of a video card: the video of a step, its controls, and the step slider. When the step changes, the last
// frame stays until the next video can be shown.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { addFilm, togglePlay } from "../../cards/film";
import { FilmBar } from "../../cards/film_bar";
import { setFilmOfCard } from "../../cards/films_of_cards";
import { openFull } from "../../cards/full_frame";
import { GifPlayer } from "../../cards/gif_player";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import type { VideoFacts } from "../../state/media";
import * as videoWords from "../../state/texts/video";
import { spoken } from "../../state/view";
import { fileName, saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import "./video_card.css";
import { createVideoFilm, type VideoFilm } from "./video_film";

// values smaller than this may be empty videos
const TINY_BYTES = 500;

export function VideoCard(props: KindCardProps): JSX.Element {
  const { card, series, urgency } = props;
  const { choice, count, sample, url } = shownOf(props);
  const address = count === 0 ? null : url;
  const film = useMemo(() => createVideoFilm(), []);
  const tiny = (series.bytes[choice.at] ?? 0) < TINY_BYTES;
  useLayoutEffect(() => film.load(address, tiny, urgency), [film, address]);
  useEffect(() => film.close, [film]);
  const state = film.state.value;
  const facts = film.facts.value;
  const moving = address !== null && isGif(facts);
  useEffect(() => {
    if (moving) return;
    const away = [addFilm(film), setFilmOfCard(card.key, film)];
    return () => {
      for (const take of away) take();
    };
  }, [film, card.key, moving]);
  return (
    <>
      <div class="video-card__place">
        <Inside props={props} film={film} address={address} />
      </div>
      {!moving && (
        <FilmBar film={film} label={card.tag} disabled={address === null || state === "refused" || state === "empty"} />
      )}
      <CardStep card={card} series={series} choice={choice} busy={state === "loading" && address !== null}>
        <span class="video-card__caption">
          <SampleChoice card={card} at={sample} count={count} />
          {facts !== null && address !== null && <Form facts={facts} />}
        </span>
      </CardStep>
    </>
  );
}

/** A GIF is played without a video element. */
function isGif(facts: VideoFacts | null): boolean {
  return facts?.content_type === "image/gif";
}

type InsideProps = { readonly props: KindCardProps; readonly film: VideoFilm; readonly address: string | null };

function Inside({ props, film, address }: InsideProps): JSX.Element {
  const { card, full } = props;
  const words = spoken(videoWords);
  const { step } = shownOf(props);
  const state = film.state.value;
  const facts = film.facts.value;
  if (address === null) return <div class="card__message">{words.none}</div>;
  if (state === "empty") {
    return (
      <div class="card__message" data-step={step}>
        <strong>{words.empty}</strong>
        <span>{words.emptyHint}</span>
      </div>
    );
  }
  if (isGif(facts)) return <GifPlayer cardKey={card.key} url={address} label={card.tag} step={step} />;
  if (state === "refused") {
    return (
      <div class="card__message" role="alert" data-step={step}>
        <strong>{words.cannotPlay}</strong>
        <span>{words.cannotPlayHint(formOf(facts))}</span>
        <a href={address} download={fileName(`${card.tag}_${step}`, "")}>
          {words.download}
        </a>
      </div>
    );
  }
  const onOpen = full ? undefined : () => openFull(card.key);
  return <Screen film={film} label={card.tag} step={step} address={address} onOpen={onOpen} />;
}

type ScreenProps = {
  readonly film: VideoFilm;
  readonly label: string;
  readonly step: string;
  readonly address: string;
  readonly onOpen: (() => void) | undefined;
};

function Screen({ film, label, step, address, onOpen }: ScreenProps): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const still = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => (video.current === null ? undefined : film.attach(video.current)), [film]);
  const loading = film.state.value === "loading";
  // keep the last frame before the element is cleared for the next step
  const last = useRef(address);
  if (last.current !== address) {
    last.current = address;
    keepStill(video.current, still.current);
  }
  const small = (film.facts.value?.width_px ?? 1000) < 200;
  const className = small ? "video-card__screen video-card__screen--small" : "video-card__screen";
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: what was logged has none */}
      <video
        ref={video}
        class={className}
        preload="metadata"
        playsInline
        disablePictureInPicture
        aria-label={label}
        data-step={loading ? undefined : step}
        data-drawn={film.drawn.value}
        data-testid="video"
        onClick={() => togglePlay(film)}
        onDblClick={onOpen}
      />
      <canvas ref={still} class={className} hidden={!loading} />
      {loading && <div class="card__busy" />}
    </>
  );
}

function keepStill(video: HTMLVideoElement | null, still: HTMLCanvasElement | null): void {
  if (video === null || still === null || video.readyState < 2) return;
  [still.width, still.height] = [video.videoWidth, video.videoHeight];
  still.getContext("2d")?.drawImage(video, 0, 0);
}

const NAMES: Readonly<Record<string, string>> = {
  avc1: "H.264",
  avc3: "H.264",
  hvc1: "H.265",
  hev1: "H.265",
  av01: "AV1",
  av1: "AV1",
  vp08: "VP8",
  vp8: "VP8",
  vp09: "VP9",
  vp9: "VP9",
  mp4v: "MPEG-4",
};

/** "MP4, H.264"; "" if the file does not say. */
function formOf(facts: VideoFacts | null): string {
  if (facts === null) return "";
  const box = { "video/mp4": "MP4", "video/webm": "WebM", "video/ogg": "Ogg" }[facts.content_type] ?? "";
  const codec = NAMES[facts.codec.split(".")[0] ?? ""] ?? facts.codec;
  return codec === "" ? "" : [box, codec].filter((part) => part !== "").join(" ");
}

/** "640 × 480 · 30 fps · MP4 H.264 · 1.2 MB". */
function Form({ facts }: { readonly facts: VideoFacts }): JSX.Element {
  const words = spoken(videoWords);
  const { width_px, height_px, frames, seconds, bytes, whole } = facts;
  const fps = frames !== null && seconds !== null && seconds > 0 ? frames / seconds : null;
  const parts = [
    ...(width_px === null || height_px === null ? [] : [`${width_px} × ${height_px}`]),
    ...(fps === null ? [] : [`${Number(fps.toPrecision(3))} fps`]),
    formOf(facts),
    formatBytes(bytes),
  ].filter((part) => part !== "");
  return (
    <span class="video-card__form" title={parts.join(" · ")} data-testid="video-form">
      {!whole && bytes > 0 && (
        <span class="video-card__cut" title={words.cutHint}>
          {words.cut} ·{" "}
        </span>
      )}
      {parts.join(" · ")}
    </span>
  );
}

export function videoMenu(props: KindCardProps): readonly MenuItem[] {
  const { card } = props;
  const words = spoken(videoWords);
  const { count, sample, step, url } = shownOf(props);
  const address = count === 0 ? null : url;
  const disabled = address === null;
  const name = [card.tag, card.run, step, ...(count > 1 ? [sample] : [])].join("_");
  return [
    { label: words.download, icon: "download", disabled, onSelect: () => saveAddress(address ?? "", name) },
    {
      label: words.openAlone,
      icon: "link",
      disabled,
      onSelect: () => window.open(address ?? "", "_blank", "noopener"),
    },
  ];
}
