// Words that cards of every kind share: frames, sections, the step slider, what is said when there is nothing to show.

export const english = {
  resize: "Drag to change the size of all cards",
  full: "Full screen",
  leaveFull: "Leave full screen",
  previous: "Previous card",
  next: "Next card",
  description: "Description",
  retry: "Try again",
};

export type Texts = typeof english;

export const chinese: Texts = {
  resize: "拖动以调整所有卡片的大小",
  full: "全屏",
  leaveFull: "退出全屏",
  previous: "上一张卡片",
  next: "下一张卡片",
  description: "说明",
  retry: "重试",
};
