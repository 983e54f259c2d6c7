// Texts of the page of logged tables.

import type { Language } from "../../base/locale";

const en = {
  title: "Tables",
  sort: (column: string) => `Sort by ${column}`,
  filterOf: (column: string) => `Filter ${column}`,
  filterHint: "word, !word, > 3, 1..5, = x, != x, /pattern/",
  filters: "Filter columns",
  clear: "Clear filters and sorting",
  rows: (rows: string) => `${rows} rows`,
  passing: (passing: string, rows: string) => `${passing} of ${rows} rows`,
  none: "No row matches the filters",
  noRows: "The table has no rows",
  noColumns: "The table has no columns",
  ragged: (rows: string) => `${rows} rows had too many or too few cells`,
  leftOut: (columns: string) => `${columns} more columns are only in the download`,
  broken: "This table cannot be shown",
  failed: "The table could not be loaded",
  csv: "Download as CSV",
  json: "Download as JSON",
  download: "Download the original",
  downloadFailed: "The download failed",
  copyRows: "Copy these rows",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "表格",
  sort: (column) => `按 ${column} 排序`,
  filterOf: (column) => `筛选 ${column}`,
  filterHint: "文字、!文字、> 3、1..5、= x、!= x、/正则表达式/",
  filters: "筛选列",
  clear: "清除筛选和排序",
  rows: (rows) => `${rows} 行`,
  passing: (passing, rows) => `${passing} / ${rows} 行`,
  none: "没有符合筛选条件的行",
  noRows: "表格没有行",
  noColumns: "表格没有列",
  ragged: (rows) => `${rows} 行的单元格过多或过少`,
  leftOut: (columns) => `还有 ${columns} 列仅包含在下载文件中`,
  broken: "无法显示此表格",
  failed: "无法加载表格",
  csv: "下载为 CSV",
  json: "下载为 JSON",
  download: "下载原始数据",
  downloadFailed: "下载失败",
  copyRows: "复制这些行",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
