// Words of the images page.

export const english = {
  title: "Images",
  actual: "Actual size",
  actualHint: "Pictures as large as they are, instead of fitting the card",
  brightness: "Brightness",
  contrast: "Contrast",
  resetLook: "Reset brightness and contrast",
  open: (tag: string) => `${tag}, in full screen`,
  cannotShow: "This picture cannot be shown",
  cannotShowHint: "It may be damaged, or in a format that this browser does not know.",
  none: "No picture was logged at this step",
  download: "Download the picture",
  openAlone: "Open the picture in a tab",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomFit: "Fit (double click)",
  zoomHint: "Wheel zooms, dragging moves",
};

export type Texts = typeof english;

export const chinese: Texts = {
  title: "图像",
  actual: "原始大小",
  actualHint: "按图像的原始大小显示，不缩放到卡片大小",
  brightness: "亮度",
  contrast: "对比度",
  resetLook: "重置亮度和对比度",
  open: (tag) => `全屏显示 ${tag}`,
  cannotShow: "无法显示此图像",
  cannotShowHint: "图像可能已损坏，或浏览器不支持其格式。",
  none: "这一步没有记录图像",
  download: "下载图像",
  openAlone: "在新标签页中打开图像",
  zoomIn: "放大",
  zoomOut: "缩小",
  zoomFit: "适应窗口（双击）",
  zoomHint: "滚轮缩放，拖动平移",
};
