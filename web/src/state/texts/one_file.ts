// Texts of the dialog that saves the board as one HTML file.

import { formatWhole, type Language } from "../../base/locale";

const enCount = (n: number): string => formatWhole(n, "en");
const zhCount = (n: number): string => formatWhole(n, "zh");

const en = {
  title: "Download as one HTML file",
  hint: "The file shows this view in any browser, without a server or network. It does not change afterwards.",
  runs: (n: number) => (n === 1 ? "The run shown in charts" : `The ${enCount(n)} runs shown in charts`),
  allRuns: (n: number) => (n === 1 ? "The only run" : `All ${enCount(n)} runs`),
  tags: (n: number) => `Only the ${n === 1 ? "tag that matches" : `${enCount(n)} tags that match`} the tag filter`,
  points: "Lines have at most 400 points each; spikes stay visible.",
  making: "Preparing the file…",
  download: (size: string) => (size === "" ? "Download" : `Download (${size})`),
};

export type Texts = typeof en;

const zh: Texts = {
  title: "下载为单个 HTML 文件",
  hint: "用任何浏览器打开即可看到当前视图，无需服务器和网络。文件内容不会再变化。",
  runs: (n) => `图表中显示的 ${zhCount(n)} 个运行`,
  allRuns: (n) => `全部 ${zhCount(n)} 个运行`,
  tags: (n) => `仅包含符合标签筛选的 ${zhCount(n)} 个标签`,
  points: "每条曲线最多 400 个数据点，尖峰不会丢失。",
  making: "正在生成文件…",
  download: (size) => (size === "" ? "下载" : `下载（${size}）`),
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
