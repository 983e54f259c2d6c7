// Words of the frame: top bar, notices, settings, help.

export const english = {
  loading: "Reading logs…",
  progress: (read: number, total: number) => `Reading logs: ${read} of ${total} files`,
  faults: (n: number) => (n === 1 ? "1 problem in the logs" : `${n} problems in the logs`),
  tags: "Tags",
  filterTags: "Filter tags (regex)",
  literal: "Not a regular expression; searching for the text as it is",
  noRuns: "No runs yet",
  noRunsHint:
    "Nothing has been found in the log directory. Runs appear here as soon as a program writes event files to it:",
  noMatch: "Nothing matches the filter",
  noTags: "No data has been logged yet",
  failed: "The board cannot be shown",
  refused: "This board asks for a token. Open the address that `lightboard` printed when it started.",
  unreachable: "The server does not answer. Is `lightboard` still running?",
  retry: "Try again",
  live: "Live",
  lost: "Connection lost, trying again…",
  inRuns: (n: number) => (n === 1 ? "1 run" : `${n} runs`),
  language: "中文",
};

export type Texts = typeof english;

export const chinese: Texts = {
  loading: "正在读取日志…",
  progress: (read, total) => `正在读取日志：${read} / ${total} 个文件`,
  faults: (n) => `日志中有 ${n} 个问题`,
  tags: "标签",
  filterTags: "筛选标签（正则表达式）",
  literal: "不是有效的正则表达式，按原文搜索",
  noRuns: "还没有运行",
  noRunsHint: "日志目录中没有找到任何内容。程序写入事件文件后，运行会立即显示在这里：",
  noMatch: "没有符合筛选条件的内容",
  noTags: "还没有记录任何数据",
  failed: "无法显示看板",
  refused: "此看板需要令牌。请打开 `lightboard` 启动时打印的地址。",
  unreachable: "服务器没有响应。`lightboard` 还在运行吗？",
  retry: "重试",
  live: "实时",
  lost: "连接已断开，正在重试…",
  inRuns: (n) => `${n} 个运行`,
  language: "English",
};
