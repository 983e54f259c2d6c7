// Texts of the video page, and of animated images elsewhere.

import type { Language } from "../../base/locale";

const en = {
  title: "Video",
  // ---- toolbar
  playAll: "Play all",
  pauseAll: "Pause all",
  playAllHint: "Play all visible videos together, from the position of the first one",
  link: "Link",
  linkHint: "Playing, seeking and stepping in one card applies to all visible videos",
  speed: "Speed",
  loop: "Loop",
  loopHint: "Start over at the end",
  sound: "Sound",
  soundHint: "Play the sound of videos",
  // ---- player
  play: "Play (K)",
  pause: "Pause (K)",
  previousFrame: "Previous frame (,)",
  nextFrame: "Next frame (.)",
  position: (tag: string) => `Position in ${tag}`,
  frame: (at: number, all: number) => `frame ${at} of ${all}`,
  // ---- errors
  none: "No video was logged at this step",
  empty: "The video is empty",
  emptyHint: "It has 0 bytes.",
  cannotPlay: "This browser cannot play the video",
  cannotPlayHint: (form: string) =>
    form === ""
      ? "It may be damaged, or not a video at all."
      : `It may be damaged, or the browser does not support ${form}. H.264, VP9 and AV1 play nearly everywhere.`,
  cut: "incomplete",
  cutHint: "The file ends too early: the rest was not written.",
  download: "Download the video",
  openAlone: "Open the video in a tab",
  // ---- keys
  keyPlay: "Play or pause the video under the cursor",
  keyPrevious: "Previous frame",
  keyNext: "Next frame",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "视频",
  playAll: "全部播放",
  pauseAll: "全部暂停",
  playAllHint: "从第一个视频的位置开始，同步播放所有可见的视频",
  link: "联动",
  linkHint: "在一张卡片中播放、跳转或逐帧时，所有可见的视频同步变化",
  speed: "速度",
  loop: "循环",
  loopHint: "播放到结尾后从头开始",
  sound: "声音",
  soundHint: "播放视频中的声音",
  play: "播放（K）",
  pause: "暂停（K）",
  previousFrame: "上一帧（,）",
  nextFrame: "下一帧（.）",
  position: (tag) => `${tag} 的播放位置`,
  frame: (at, all) => `第 ${at} 帧，共 ${all} 帧`,
  none: "这一步没有记录视频",
  empty: "视频为空",
  emptyHint: "文件大小为 0 字节。",
  cannotPlay: "浏览器无法播放此视频",
  cannotPlayHint: (form) =>
    form === ""
      ? "文件可能已损坏，或不是视频。"
      : `文件可能已损坏，或浏览器不支持 ${form}。H.264、VP9 和 AV1 在绝大多数浏览器中都能播放。`,
  cut: "不完整",
  cutHint: "文件提前结束：其余部分没有写入。",
  download: "下载视频",
  openAlone: "在新标签页中打开视频",
  keyPlay: "播放或暂停光标处的视频",
  keyPrevious: "上一帧",
  keyNext: "下一帧",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
