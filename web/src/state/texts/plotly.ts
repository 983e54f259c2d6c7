// Texts of the page of Plotly figures.

import type { Language } from "../../base/locale";

const en = {
  title: "Plotly",
  asLogged: "Original figure colors",
  asLoggedHint: "Show figures in the colors they were logged with, not in those of the page",
  frame: (tag: string) => `Figure ${tag}`,
  cannotDraw: "This figure cannot be drawn",
  noLibrary: "Plotly could not be loaded",
  noJson: "The logged value is not JSON.",
  noFigure: "The JSON has no data member, so it is not a Plotly figure.",
  map: "Maps need data from the network, which logged figures cannot access.",
  noWebgl: "It needs WebGL, which this browser does not support or has disabled.",
  large: (size: string) => `This figure is large (${size})`,
  show: "Draw",
  png: "Download as PNG",
  svg: "Download as SVG",
  json: "Download the JSON",
  failedPicture: "The picture could not be created",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "Plotly",
  asLogged: "原有配色",
  asLoggedHint: "使用图表记录时的配色，而不是页面的配色",
  frame: (tag) => `图表 ${tag}`,
  cannotDraw: "无法绘制此图表",
  noLibrary: "无法加载 Plotly",
  noJson: "记录的内容不是 JSON。",
  noFigure: "JSON 中没有 data 成员，不是 Plotly 图表。",
  map: "地图需要从网络获取数据，而记录的图表不能访问网络。",
  noWebgl: "需要 WebGL，但此浏览器不支持或已禁用。",
  large: (size) => `此图表较大（${size}）`,
  show: "绘制",
  png: "下载为 PNG",
  svg: "下载为 SVG",
  json: "下载 JSON",
  failedPicture: "无法生成图片",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
