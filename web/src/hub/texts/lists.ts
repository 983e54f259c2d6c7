// Texts that the lists of boards, jobs and uploads share.

import type { Language } from "../../base/locale";

const en = {
  columns: "Columns",
  resetColumns: "Reset columns",
  sortBy: (column: string) => `Sort by ${column}`,
  width: (column: string) => `Column width: ${column}`,
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all loaded rows",
  tools: "Open",
  menu: (name: string) => `${name} menu`,
  live: "Live",
  liveHint: "Changes appear immediately.",
  notLive: "Reconnecting…",
  notLiveHint: "The connection to the hub is interrupted. What you see may be out of date.",
  selected: (n: string) => `${n} selected`,
  selectRest: (n: string) => `Select all ${n}`,
  clearSelection: "Clear selection",
  clearFilters: "Clear search and filters",
  moreFailed: "More rows could not be loaded.",
  andMore: (n: string) => `and ${n} more`,
  whose: "Owner",
  all: "All",
  mine: "Mine",
  states: "State",
  anyState: "All states",
  workspace: "Workspace",
  anyWorkspace: "All workspaces",
  working: "Working…",
  done: "Done",
};

export type Texts = typeof en;

const zh: Texts = {
  columns: "列设置",
  resetColumns: "重置列",
  sortBy: (column) => `按${column}排序`,
  width: (column) => `${column}列宽`,
  select: (name) => `选择 ${name}`,
  selectAll: "选择所有已加载的行",
  tools: "打开",
  menu: (name) => `${name} 菜单`,
  live: "实时",
  liveHint: "变化会立即显示。",
  notLive: "正在重新连接…",
  notLiveHint: "与 Hub 的连接已中断，显示的内容可能不是最新。",
  selected: (n) => `已选择 ${n} 个`,
  selectRest: (n) => `选择全部 ${n} 个`,
  clearSelection: "取消选择",
  clearFilters: "清除搜索和筛选",
  moreFailed: "无法加载更多内容。",
  andMore: (n) => `以及其他 ${n} 个`,
  whose: "所有者",
  all: "全部",
  mine: "我的",
  states: "状态",
  anyState: "全部状态",
  workspace: "工作空间",
  anyWorkspace: "全部工作空间",
  working: "正在处理…",
  done: "完成",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
