// Texts of the page of logged HTML.

import type { Language } from "../../base/locale";

const en = {
  title: "HTML",
  stranger: "Sandboxed: can't access the board or network",
  strangerHint:
    "This page was logged by a program. Its scripts run, but cannot reach the board, the network or this browser's data.",
  frame: (tag: string) => `Logged page ${tag}`,
  empty: "An empty page was logged at this step",
  large: (size: string) => `This page is large (${size})`,
  show: "Show",
  download: "Download the page",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "HTML",
  stranger: "沙盒：无法访问看板或网络",
  strangerHint: "此页面由程序记录。其中的脚本可以运行，但无法访问看板、网络或浏览器中的数据。",
  frame: (tag) => `记录的页面 ${tag}`,
  empty: "这一步记录的页面为空",
  large: (size) => `此页面较大（${size}）`,
  show: "显示",
  download: "下载页面",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
