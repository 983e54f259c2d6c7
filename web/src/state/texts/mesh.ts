// Texts of the page of meshes and point clouds.

import type { Language } from "../../base/locale";

const en = {
  title: "Meshes",
  view: "Camera",
  views: {
    all: "All points",
    current: "Keep the view",
    share: "Same for all cards",
  },
  viewHints: {
    all: "The camera moves back until all points of the step are visible",
    current: "The camera does not move between steps",
    share: "All cards share one camera",
  },
  up: (axis: string) => `${axis} up`,
  upAxis: "Up axis",
  painter: "Renderer",
  painters: { auto: "Automatic", webgl: "WebGL", plain: "CPU" },
  pointSize: "Point size",
  pointSizeAuto: "automatic",
  grid: "Axes and grid",
  wires: "Wireframe",
  resetAll: "Reset the view of all cards",
  reset: "Reset the view",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  hint: "Drag to rotate; with Shift or the right button to move. Ctrl + wheel zooms, also the wheel after a click. Keys: arrows, + and −, 0 resets.",
  label: (name: string, vertices: string, faces: string) =>
    faces === ""
      ? `${name}, a cloud of ${vertices} ${vertices === "1" ? "point" : "points"}`
      : `${name}, a mesh of ${vertices} vertices and ${faces} faces`,
  points: (n: string) => (n === "1" ? "1 point" : `${n} points`),
  vertices: (n: string) => (n === "1" ? "1 vertex" : `${n} vertices`),
  faces: (n: string) => (n === "1" ? "1 face" : `${n} faces`),
  empty: "This step has no points",
  emptyHint: "An empty batch was logged, or none of its points is finite.",
  failed: "This mesh cannot be shown",
  noWebgl: "without WebGL",
  plain: "Without WebGL: drawn on the CPU",
  plainHint:
    "This browser cannot use a graphics card, or you chose the CPU. Everything is shown, but large meshes move less smoothly.",
  notes: "About this mesh",
  thinned: (shown: string, all: string) => `${shown} of ${all} points are drawn, evenly sampled; faces are not drawn.`,
  droppedVertices: (n: string) => `${n} vertices are not finite and are ignored.`,
  droppedFaces: (n: string) => `${n} faces refer to missing vertices and are ignored.`,
  unmatchedColors: (n: string) => `${n} colors were logged, but not one per vertex; they are ignored.`,
  otherStep: (part: string, step: string) => `${part} are from step ${step}.`,
  unusable: (part: string) => `${part} are not numbers of the shape [batch, n, 3] and are ignored.`,
  missing: (part: string) => `${part} were declared, but not logged yet.`,
  parts: { vertex: "Vertices", face: "Faces", color: "Colors" },
  brokenConfig: "Invalid config (not a JSON object), ignored",
  picture: "Download a picture (PNG)",
  obj: "Download as OBJ",
  ply: "Download as PLY",
};

export type Texts = typeof en;

const zh: Texts = {
  title: "网格",
  view: "相机",
  views: {
    all: "显示所有点",
    current: "保持当前视角",
    share: "所有卡片共用视角",
  },
  viewHints: {
    all: "每一步都自动调整相机，使所有点可见",
    current: "切换步数时相机保持不动",
    share: "所有卡片使用同一个视角",
  },
  up: (axis) => `${axis} 轴向上`,
  upAxis: "朝上的轴",
  painter: "绘制方式",
  painters: { auto: "自动", webgl: "WebGL", plain: "CPU" },
  pointSize: "点大小",
  pointSizeAuto: "自动",
  grid: "坐标轴和网格线",
  wires: "线框",
  resetAll: "所有卡片恢复初始视角",
  reset: "重置视角",
  zoomIn: "拉近",
  zoomOut: "拉远",
  hint: "拖动旋转；按住 Shift 或用右键拖动平移；按住 Ctrl 滚动或单击后滚动缩放；也可使用方向键、+ 和 −，按 0 重置。",
  label: (name, vertices, faces) =>
    faces === "" ? `${name}，${vertices} 个点的点云` : `${name}，网格，${vertices} 个顶点，${faces} 个面`,
  points: (n) => `${n} 个点`,
  vertices: (n) => `${n} 个顶点`,
  faces: (n) => `${n} 个面`,
  empty: "这一步没有点",
  emptyHint: "记录了空批次，或者所有点都不是有限数值。",
  failed: "无法显示此网格",
  noWebgl: "未用 WebGL",
  plain: "无 WebGL：由 CPU 绘制",
  plainHint: "此浏览器没有可用的图形硬件，或您选择了此方式。内容完整，但大型网格的转动不够流畅。",
  notes: "关于此网格",
  thinned: (shown, all) => `共 ${all} 个点，均匀选取并绘制了 ${shown} 个，未绘制面。`,
  droppedVertices: (n) => `${n} 个顶点不是有限数值，已忽略。`,
  droppedFaces: (n) => `${n} 个面引用了不存在的顶点，已忽略。`,
  unmatchedColors: (n) => `记录了 ${n} 个颜色，与顶点数不符，未使用。`,
  otherStep: (part, step) => `${part}取自第 ${step} 步。`,
  unusable: (part) => `${part}不是形状为 [批次, n, 3] 的数值，已忽略。`,
  missing: (part) => `已声明${part}，但（尚）未记录。`,
  parts: { vertex: "顶点", face: "面", color: "颜色" },
  brokenConfig: "配置不是 JSON 对象，已忽略。",
  picture: "下载图片（PNG）",
  obj: "下载 OBJ",
  ply: "下载 PLY",
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
