// Inside of an audio card: what a clip sounds like as a picture, its player, its label, and the step below. Two clips
// above each other where the reader compares.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { UserMarkup } from "../../cards/user_markup";
import { blobOf } from "../../state/blobs";
import type { AudioFacts } from "../../state/media";
import { colorOf } from "../../state/runs";
import * as audioWords from "../../state/texts/audio";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import "./audio_card.css";
import { type Clip, decodedRate, useClip } from "./clips";
import { CompareRow } from "./compare_row";
import { chooseOther, firstOther, otherClip, otherOf } from "./comparing";
import { formatHz } from "./drawing";
import { type Player, type SideName, usePlayer } from "./player";
import { PlayerBar } from "./player_bar";
import { WaveView } from "./wave_view";

const WIDE_PX = 440;

export function AudioCard(props: KindCardProps): JSX.Element {
  const { card, series, widthPx, urgency } = props;
  const words = spoken(audioWords);
  const { choice, count, sample, step, url } = shownOf(props);
  const address = count === 0 ? null : url;
  const other = otherOf(card.key);
  const beside = other === null ? null : otherClip(card, step, other);
  const besideCount = beside?.series.counts[beside.at] ?? 0;
  const besideAddress =
    beside === null || besideCount === 0
      ? null
      : blobOf({ ...card, run: beside.run }, beside.series, beside.at, Math.min(sample, besideCount - 1));
  const player = usePlayer(card.key);
  const own = useClip(address, urgency);
  const second = useClip(besideAddress, urgency);
  useEffect(() => player.load("a", address), [player, address]);
  useEffect(() => player.load("b", besideAddress), [player, besideAddress]);
  const side = player.side.value;
  const heard = side === "b" ? second : own;
  // both pictures have the same time axis, or positions could not be compared
  const lengths = [own, ...(beside === null ? [] : [second])].map(lengthOf);
  const seconds = player.seconds.value ?? lengthOf(heard);
  const axis = Math.max(0, ...lengths.map((length) => length ?? 0), player.seconds.value ?? 0);
  const facts = own.facts.value;
  const playable = address !== null && heard.state.value !== "empty" && heard.state.value !== "undecodable";
  const refused = player.refused.value;
  const common = { player, axis, label: words.position(card.tag), tag: card.tag };
  return (
    <>
      <div class="audio-card__place">
        {address === null ? (
          <div class="card__message">{words.none}</div>
        ) : (
          <ClipView
            {...common}
            clip={own}
            address={address}
            refused={refused.has("a")}
            color={colorOf.value(card.run)}
            step={step}
            letter={other === null ? "" : "A"}
            heard={other === null || side === "a"}
          />
        )}
        {beside !== null && besideAddress !== null && (
          <ClipView
            {...common}
            clip={second}
            address={besideAddress}
            refused={refused.has("b")}
            color={colorOf.value(beside.run)}
            step={String(beside.series.steps[beside.at] ?? "")}
            letter="B"
            heard={side === "b"}
          />
        )}
      </div>
      <PlayerBar player={player} seconds={seconds} playable={playable} wide={widthPx >= WIDE_PX}>
        {other === null ? (
          <Button
            kind="quiet"
            icon="compare"
            title={words.compare}
            testId="audio-compare"
            disabled={address === null}
            onClick={() => chooseOther(card.key, firstOther(card, series, choice.at))}
          />
        ) : (
          <Sides player={player} side={side} />
        )}
      </PlayerBar>
      {other !== null && <CompareRow card={card} other={other} clip={beside} />}
      {facts !== null && facts.label_html !== "" && address !== null && (
        <UserMarkup className="audio-card__label" testId="audio-label" title={facts.label} html={facts.label_html} />
      )}
      <CardStep card={card} series={series} choice={choice} busy={own.state.value === "loading"}>
        <span class="audio-card__caption">
          <SampleChoice card={card} at={sample} count={count} />
          {facts !== null && address !== null && <Form facts={facts} />}
        </span>
      </CardStep>
    </>
  );
}

function lengthOf({ facts, analysis, state }: Clip): number | null {
  return (state.value === "ready" ? analysis.value?.seconds : null) ?? facts.value?.seconds ?? null;
}

function Sides({ player, side }: { readonly player: Player; readonly side: SideName }): JSX.Element {
  const words = spoken(audioWords);
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons are no fields
    <span class="audio-card__sides" role="group" aria-label={words.switch}>
      {(["a", "b"] as const).map((name) => (
        <button
          key={name}
          type="button"
          class="audio-card__side"
          aria-pressed={side === name}
          title={`${name === "a" ? words.sideA : words.sideB} · ${words.switch}`}
          data-testid={`audio-side-${name}`}
          onClick={() => player.hear(name)}
        >
          {name.toUpperCase()}
        </button>
      ))}
    </span>
  );
}

type ClipViewProps = {
  readonly clip: Clip;
  readonly address: string;
  readonly refused: boolean;
  readonly player: Player;
  readonly axis: number;
  readonly label: string;
  readonly tag: string;
  readonly color: string;
  readonly step: string;
  readonly letter: string;
  readonly heard: boolean;
};

function ClipView(properties: ClipViewProps): JSX.Element {
  const { clip, address, refused, player, axis, label, tag, color, step, letter, heard } = properties;
  const words = spoken(audioWords);
  const state = clip.state.value;
  const facts = clip.facts.value;
  const analysis = clip.analysis.value;
  const download = (
    <a href={address} download={fileName(`${tag}_${step}`, "")}>
      {words.download}
    </a>
  );
  if (state === "empty") {
    return (
      <div class="audio-card__message" data-step={step}>
        <strong>{words.empty}</strong>
        <span>{words.emptyHint}</span>
      </div>
    );
  }
  if (state === "undecodable" || refused) {
    return (
      <div class="audio-card__message" role="alert" data-step={step}>
        <strong>{words.cannotPlay}</strong>
        <span>{words.cannotPlayHint(facts === null ? "" : formOf(facts))}</span>
        {download}
      </div>
    );
  }
  if (state === "failed") {
    return <CardProblem title={words.failed} message={clip.message.value} onRetry={clip.load} />;
  }
  if (state === "large" && facts !== null) {
    return (
      <div class="audio-card__message" data-step={step}>
        <LongBar player={player} seconds={axis} label={label} />
        <Button
          label={words.large(formatBytes(facts.bytes))}
          title={words.large(formatBytes(facts.bytes))}
          testId="audio-draw"
          onClick={clip.load}
        />
      </div>
    );
  }
  if (analysis === null) {
    return (
      <div class="audio-card__message">
        <div class="kind-card__skeleton audio-card__skeleton" />
      </div>
    );
  }
  return (
    <>
      <WaveView
        analysis={analysis}
        player={player}
        seconds={axis}
        color={color}
        label={label}
        step={state === "ready" ? step : ""}
        letter={letter}
        heard={heard}
      />
      {state === "loading" && <div class="card__busy" />}
    </>
  );
}

/** In place of a waveform: a plain range to seek in. */
function LongBar(properties: {
  readonly player: Player;
  readonly seconds: number;
  readonly label: string;
}): JSX.Element {
  const { player, seconds, label } = properties;
  return (
    <input
      class="slider__range audio-card__range"
      type="range"
      aria-label={label}
      min={0}
      max={seconds}
      step={0.1}
      value={player.time.value}
      data-testid="audio-range"
      onInput={(event) => player.seek(event.currentTarget.valueAsNumber)}
    />
  );
}

function formOf({ content_type, codec }: AudioFacts): string {
  if (codec !== "") return codec;
  return content_type === "application/octet-stream" ? "" : content_type;
}

/** "16 kHz · mono · PCM 16 bit · 24 kB". */
function Form({ facts }: { readonly facts: AudioFacts }): JSX.Element {
  const words = spoken(audioWords);
  const { rate_hz, channels, codec, bits, bytes, whole, seconds } = facts;
  const parts = [
    ...(rate_hz === null ? [] : [exactHz(rate_hz)]),
    ...(channels === null ? [] : [words.channels(channels)]),
    [codec, ...(bits === null ? [] : [words.bits(bits)])].join(" ").trim(),
    formatBytes(bytes),
  ].filter((part) => part !== "");
  const coarse = rate_hz !== null && seconds !== null && decodedRate(facts) < rate_hz && rate_hz <= 96_000;
  return (
    <span class="audio-card__form" title={parts.join(" · ")} data-testid="audio-form">
      {!whole && bytes > 0 && (
        <span class="audio-card__cut" title={words.cutHint}>
          {words.cut} ·{" "}
        </span>
      )}
      {parts.join(" · ")}
      {coarse && <span title={words.coarseHint}> · {words.coarse(formatHz(decodedRate(facts) / 2))}</span>}
    </span>
  );
}

function exactHz(hz: number): string {
  return hz < 1000 ? `${hz} Hz` : `${hz / 1000} kHz`;
}

export function audioMenu(props: KindCardProps): readonly MenuItem[] {
  const { card, series } = props;
  const words = spoken(audioWords);
  const { choice, count, sample, step, url } = shownOf(props);
  const address = count === 0 ? null : url;
  const disabled = address === null;
  const name = [card.tag, card.run, step, ...(count > 1 ? [sample] : [])].join("_");
  const comparing = otherOf(card.key) !== null;
  return [
    {
      label: comparing ? words.stopCompare : words.compare,
      icon: "compare",
      disabled,
      onSelect: () => chooseOther(card.key, comparing ? null : firstOther(card, series, choice.at)),
    },
    "separator",
    { label: words.download, icon: "download", disabled, onSelect: () => saveAddress(address ?? "", name) },
    {
      label: words.openAlone,
      icon: "link",
      disabled,
      onSelect: () => window.open(address ?? "", "_blank", "noopener"),
    },
  ];
}
