// Web worker that analyzes clips, one after another.

import { type Analysis, analyse } from "./analysis";

export type Question = {
  readonly id: number;
  readonly channels: readonly Float32Array[];
  readonly rateHz: number;
};
export type Answer = { readonly id: number; readonly analysis: Analysis };

type Scope = {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  readonly postMessage: (message: Answer, transfer: Transferable[]) => void;
};

const scope = self as unknown as Scope;

scope.onmessage = ({ data: { id, channels, rateHz } }) => {
  const analysis = analyse(channels, rateHz);
  const buffers = analysis.channels.flatMap(({ low, high }) => [low.buffer, high.buffer]);
  scope.postMessage({ id, analysis }, [...buffers, analysis.spectrogram.levels.buffer] as Transferable[]);
};
