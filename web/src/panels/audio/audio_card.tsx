// Content of an audio card: waveform and spectrogram of a clip, player, label, and step slider. Shows two clips, one
// above the other, if the user compares.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { CardProblem } from "../../cards/card_frame";
import { CompareRow } from "../../cards/compare_row";
import type { OtherSide } from "../../cards/comparing";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { UserMarkup } from "../../cards/user_markup";
import { blobOf } from "../../state/blobs";
import type { KindCard } from "../../state/card_keys";
import type { AudioFacts } from "../../state/media";
import { colorOf } from "../../state/runs";
import * as audioWords from "../../state/texts/audio";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import "./audio_card.css";
import { type Clip, decodedRate, useClip } from "./clips";
import "./compare_row.css";
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
  const beside = other === null ? null : otherClip(card, { step, at: choice.at }, other);
  const besideAddress = beside === null ? null : addressOf(card, beside, sample);
  const player = usePlayer(card.key);
  const own = useClip(address, urgency);
  const second = useClip(besideAddress, urgency);
  useEffect(() => player.load("a", address), [player, address]);
  useEffect(() => player.load("b", besideAddress), [player, besideAddress]);
  const side = player.side.value;
  const heard = side === "b" ? second : own;
  const playable = address !== null && heard.state.value !== "empty" && heard.state.value !== "undecodable";
  const clips = { props, player, own, address, beside, second, besideAddress };
  return (
    <>
      <Clips {...clips} />
      <PlayerBar
        player={player}
        seconds={player.seconds.value ?? lengthOf(heard)}
        playable={playable}
        wide={widthPx >= WIDE_PX}
      >
        {other === null ? <CompareButton props={props} /> : <Sides player={player} side={side} />}
      </PlayerBar>
      {other !== null && (
        <CompareRow
          kind="audio"
          words={words}
          card={card}
          other={other}
          side={beside}
          onChoose={(next) => chooseOther(card.key, next)}
        />
      )}
      {address !== null && <Label facts={own.facts.value} />}
      <CardStep card={card} series={series} choice={choice} busy={own.state.value === "loading"}>
        <span class="audio-card__caption">
          <SampleChoice card={card} at={sample} count={count} />
          {own.facts.value !== null && address !== null && <Form facts={own.facts.value} />}
        </span>
      </CardStep>
    </>
  );
}

type ClipsProps = {
  readonly props: KindCardProps;
  readonly player: Player;
  readonly own: Clip;
  readonly address: string | null;
  readonly beside: OtherSide | null;
  readonly second: Clip;
  readonly besideAddress: string | null;
};

/** The clip of the card and, below it, the clip it is compared with. */
function Clips({ props, player, own, address, beside, second, besideAddress }: ClipsProps): JSX.Element {
  const { card } = props;
  const words = spoken(audioWords);
  const { step } = shownOf(props);
  // both clips need the same time axis, so that positions can be compared
  const lengths = [own, ...(beside === null ? [] : [second])].map((clip) => lengthOf(clip) ?? 0);
  const axis = Math.max(0, ...lengths, player.seconds.value ?? 0);
  const common = { player, axis, label: words.position(card.tag), tag: card.tag };
  const letter = otherOf(card.key) === null ? "" : "A";
  return (
    <div class="audio-card__place">
      {address === null ? (
        <div class="card__message">{words.none}</div>
      ) : (
        <ClipView {...common} clip={own} address={address} side="a" run={card.run} step={step} letter={letter} />
      )}
      {beside !== null && besideAddress !== null && (
        <ClipView
          {...common}
          clip={second}
          address={besideAddress}
          side="b"
          run={beside.run}
          step={String(beside.series.steps[beside.at] ?? "")}
          letter="B"
        />
      )}
    </div>
  );
}

/** Returns null if nothing was logged at the step. */
function addressOf(card: KindCard, { run, series, at }: OtherSide, sample: number): string | null {
  const count = series.counts[at] ?? 0;
  return count === 0 ? null : blobOf({ ...card, run }, series, at, Math.min(sample, count - 1));
}

function CompareButton({ props }: { readonly props: KindCardProps }): JSX.Element {
  const { card, series } = props;
  const { choice, count } = shownOf(props);
  return (
    <Button
      kind="quiet"
      icon="compare"
      title={spoken(audioWords).compare}
      testId="audio-compare"
      disabled={count === 0}
      onClick={() => chooseOther(card.key, firstOther(card, series, choice.at))}
    />
  );
}

function Label({ facts }: { readonly facts: AudioFacts | null }): JSX.Element | null {
  if (facts === null || facts.label_html === "") return null;
  return <UserMarkup className="audio-card__label" testId="audio-label" title={facts.label} html={facts.label_html} />;
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
  readonly player: Player;
  readonly side: SideName;
  readonly axis: number;
  readonly label: string;
  readonly tag: string;
  readonly run: string;
  readonly step: string;
  /** "": there is no second clip. */
  readonly letter: string;
};

function ClipView(properties: ClipViewProps): JSX.Element {
  const { clip, player, side, axis, label, run, step, letter } = properties;
  const state = clip.state.value;
  const analysis = clip.analysis.value;
  if (state === "empty" || state === "undecodable" || player.refused.value.has(side)) {
    return <Unplayable {...properties} />;
  }
  if (state === "failed") {
    return <CardProblem title={spoken(audioWords).failed} message={clip.message.value} onRetry={clip.load} />;
  }
  if (state === "large" && clip.facts.value !== null) return <Large {...properties} bytes={clip.facts.value.bytes} />;
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
        color={colorOf.value(run)}
        label={label}
        step={state === "ready" ? step : ""}
        letter={letter}
        heard={letter === "" || player.side.value === side}
      />
      {state === "loading" && <div class="card__busy" />}
    </>
  );
}

/** Shown for an empty clip, or one that the browser cannot play. */
function Unplayable({ clip, address, tag, step }: ClipViewProps): JSX.Element {
  const words = spoken(audioWords);
  const facts = clip.facts.value;
  if (clip.state.value === "empty") {
    return (
      <div class="audio-card__message" data-step={step}>
        <strong>{words.empty}</strong>
        <span>{words.emptyHint}</span>
      </div>
    );
  }
  return (
    <div class="audio-card__message" role="alert" data-step={step}>
      <strong>{words.cannotPlay}</strong>
      <span>{words.cannotPlayHint(facts === null ? "" : formOf(facts))}</span>
      <a href={address} download={fileName(`${tag}_${step}`, "")}>
        {words.download}
      </a>
    </div>
  );
}

/** A large clip: it can be played, but is drawn only when the user requests it. */
function Large({ clip, player, axis, label, step, bytes }: ClipViewProps & { readonly bytes: number }): JSX.Element {
  const ask = spoken(audioWords).large(formatBytes(bytes));
  return (
    <div class="audio-card__message" data-step={step}>
      <LongBar player={player} seconds={axis} label={label} />
      <Button label={ask} title={ask} testId="audio-draw" onClick={clip.load} />
    </div>
  );
}

/** A plain seek slider, shown instead of a waveform. */
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

/** Format of a clip: "16 kHz · mono · PCM 16 bit · 24 kB". */
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
