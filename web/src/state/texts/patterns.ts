// Errors in regular expressions, and what to write instead; the server has the same texts (query/patterns.py).

import type { Language } from "../../base/locale";

const en = {
  troubles: {
    long: "The pattern is longer than 2,000 characters",
    large: "The pattern is too large",
    lookaround: "The pattern has a look-around such as (?= or (?!, which is not supported",
    backreference: "The pattern has a back reference such as \\1, which is not supported",
    invalid: "Not a regular expression",
  },
  asText: (trouble: string) => `${trouble}. Searching for the literal text`,
  hints: {
    long: "",
    large: "Use fewer or smaller repeats such as {0,9}",
    lookaround: 'In a run filter, write two conditions: matches(name, "a") and not matches(name, "b")',
    backreference: "Write out the alternatives, for example (a-a|b-b)",
    invalid: "Put a \\ before . * + ? ( ) [ ] { } | to match the character",
  },
};

export type Texts = typeof en;

const zh: Texts = {
  troubles: {
    long: "表达式超过 2,000 个字符",
    large: "表达式过大",
    lookaround: "不支持环视（如 (?=、(?!）",
    backreference: "不支持反向引用（如 \\1）",
    invalid: "不是有效的正则表达式",
  },
  asText: (trouble) => `${trouble}，暂按原文搜索`,
  hints: {
    long: "",
    large: "请减少重复，或缩小 {0,9} 中的次数",
    lookaround: '在运行筛选中，可写成两个条件：matches(name, "a") and not matches(name, "b")',
    backreference: "请逐一写出可能的内容，例如 (a-a|b-b)",
    invalid: "要匹配 . * + ? ( ) [ ] { } | 这些字符本身，请在前面加 \\",
  },
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
