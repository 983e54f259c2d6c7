// Members of the audio page.

import { choiceField, type Fields, flagField, jsonField, numberField } from "../fields";
import { type ComparedWith, isOther, record } from "./shared";

export const AUDIO_SHOWN = ["both", "waveform", "spectrogram"] as const;

export const AUDIO_SCALES = ["log", "linear"] as const;

export type AudioMembers = {
  readonly audioShow: (typeof AUDIO_SHOWN)[number];
  /** Scale of the frequencies of a spectrogram. */
  readonly audioScale: (typeof AUDIO_SCALES)[number];
  readonly audioVolume: number;
  readonly audioSpeed: number;
  readonly audioLoop: boolean;
  /** The other clip of cards that compare two, by card key. */
  readonly audioCompare: Readonly<Record<string, ComparedWith>>;
};

export const audioMembers: Fields<AudioMembers> = {
  audioShow: choiceField(AUDIO_SHOWN, "both"),
  audioScale: choiceField(AUDIO_SCALES, "log"),
  audioVolume: numberField(1, 0, 1),
  audioSpeed: numberField(1, 0.25, 4),
  audioLoop: flagField(false),
  audioCompare: jsonField<Readonly<Record<string, ComparedWith>>>({}, record(isOther)),
};
