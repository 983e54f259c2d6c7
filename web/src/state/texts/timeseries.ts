// Words of the time series page: sections, cards, their settings and menus.

export const english = {
  title: "Time series",
};

export type Texts = typeof english;

export const chinese: Texts = {
  title: "时间序列",
};
