// Texts of the audio page.

import type { Language } from "../../base/locale";

const en = {
  title: "Audio",
  // ---- toolbar
  show: "Show waveform, spectrogram, or both",
  both: "Waveform and spectrogram",
  waveform: "Waveform",
  spectrogram: "Spectrogram",
  scale: "Frequency scale",
  log: "Log Hz",
  linear: "Linear Hz",
  volume: "Volume",
  mute: "Mute",
  unmute: "Unmute",
  speed: "Speed",
  loop: "Loop",
  loopHint: "Start over at the end",
  // ---- player
  play: "Play (K)",
  pause: "Pause (K)",
  position: (tag: string) => `Position in ${tag}`,
  loading: "Loading the clip",
  // ---- properties of a clip
  channels: (n: number) => (n === 1 ? "mono" : n === 2 ? "stereo" : `${n} channels`),
  bits: (n: number) => `${n} bit`,
  cut: "incomplete",
  cutHint: "The file ends too early: the rest was not written.",
  coarse: (hz: string) => `frequencies up to ${hz}`,
  coarseHint: "The clip is long: it was drawn at a lower sample rate. Playback uses the original clip.",
  // ---- errors
  none: "No clip was logged at this step",
  empty: "The clip is empty",
  emptyHint: "It has 0 bytes.",
  cannotPlay: "This browser cannot play the clip",
  cannotPlayHint: (form: string) =>
    form === ""
      ? "It may be damaged, or not audio at all."
      : `It may be damaged, or the browser does not support ${form}.`,
  notDrawn: "The waveform cannot be drawn",
  failed: "The clip could not be loaded",
  large: (size: string) => `Draw the waveform (loads ${size})`,
  download: "Download the clip",
  openAlone: "Open the clip in a tab",
  // ---- A/B
  compare: "Compare with another clip (A/B)",
  stopCompare: "Stop comparing",
  sideA: "A: the clip of this card",
  sideB: "B: the other clip",
  switch: "Switch between A and B (B)",
  otherRun: "Run of B",
  ownRun: "this run",
  otherStep: "Step of B",
  sameStep: "Step of A",
  noOther: "That run has no clip here",
  // ---- keys
  keyPlay: "Play or pause the clip under the cursor",
  keySwitch: "Switch between A and B in a comparison",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "音频",
  show: "显示波形、频谱，或波形和频谱",
  both: "波形和频谱",
  waveform: "波形",
  spectrogram: "频谱图",
  scale: "频率轴刻度",
  log: "对数频率",
  linear: "线性频率",
  volume: "音量",
  mute: "静音",
  unmute: "取消静音",
  speed: "速度",
  loop: "循环",
  loopHint: "播放到结尾后从头开始",
  play: "播放（K）",
  pause: "暂停（K）",
  position: (tag) => `${tag} 的播放位置`,
  loading: "正在加载音频",
  channels: (n) => (n === 1 ? "单声道" : n === 2 ? "立体声" : `${n} 声道`),
  bits: (n) => `${n} 位`,
  cut: "不完整",
  cutHint: "文件提前结束：其余部分没有写入。",
  coarse: (hz) => `频率最高 ${hz}`,
  coarseHint: "音频较长，绘制时降低了采样率；播放的仍是原始音频。",
  none: "这一步没有记录音频",
  empty: "音频为空",
  emptyHint: "文件大小为 0 字节。",
  cannotPlay: "浏览器无法播放此音频",
  cannotPlayHint: (form) => (form === "" ? "文件可能已损坏，或不是音频。" : `文件可能已损坏，或浏览器不支持 ${form}。`),
  notDrawn: "无法绘制波形",
  failed: "无法加载音频",
  large: (size) => `绘制波形（需加载 ${size}）`,
  download: "下载音频",
  openAlone: "在新标签页中打开音频",
  compare: "与另一段音频对比（A/B）",
  stopCompare: "结束对比",
  sideA: "A：此卡片的音频",
  sideB: "B：另一段音频",
  switch: "在 A 和 B 之间切换（B）",
  otherRun: "B 的运行",
  ownRun: "此运行",
  otherStep: "B 的步数",
  sameStep: "与 A 同一步",
  noOther: "该运行在此没有音频",
  keyPlay: "播放或暂停光标处的音频",
  keySwitch: "在对比的 A 和 B 之间切换",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
