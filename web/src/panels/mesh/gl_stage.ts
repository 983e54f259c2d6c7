// Draws meshes with WebGL. Browsers allow about sixteen contexts per page, so all cards share one renderer: it draws
// into a hidden canvas, and each card copies its image from there.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  ColorManagement,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  type Light,
  LinearSRGBColorSpace,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  PointLight,
  Points,
  PointsMaterial,
  Scene,
  WebGLRenderer,
} from "three";
import type { LightConfig, MaterialConfig } from "./config";
import { type Drawing, drawLabels, type Model, parseColor, pointPx, type Segments, segmentsOf } from "./drawing";
import { basisOf, centreOf, radiusOf } from "./orbit";

export type GlStage = {
  /** Returns how many vertices were drawn. */
  readonly draw: (context: CanvasRenderingContext2D, drawing: Drawing) => number;
  /** Frees the buffers of a mesh whose card was removed or shows another mesh. */
  readonly release: (model: Model) => void;
};

type Held = { readonly body: Points | Mesh; readonly material: Material; grid: LineSegments | null; gridKey: string };

// colors are used as logged, without color space conversion
ColorManagement.enabled = false;

// while the camera moves: fewest points, and frame times below and above which their number is adapted
const FEWEST_MOVING = 50_000;
const QUICK_MS = 20;
const SLOW_MS = 45;
// smooth shading of more faces would take too long to prepare
const SMOOTH_FACES = 300_000;
// converts light of logged configurations to the physical units of three.js
const LIGHT = Math.PI;

type Stage = {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly held: Map<Model, Held>;
  /** Size of the canvas: it grows and never shrinks. */
  size: { readonly width: number; readonly height: number };
  readonly pace: Pace;
};

/** How many points are drawn while the camera moves. */
type Pace = { points: number /** Start of the last frame while moving; 0: not moving. */; lastMove: number };

export function glStage(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext): GlStage {
  const renderer = new WebGLRenderer({ canvas, context: gl, antialias: true, alpha: false });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  renderer.setPixelRatio(1);
  renderer.setScissorTest(true);
  const stage: Stage = {
    canvas,
    renderer,
    scene: new Scene(),
    held: new Map(),
    size: { width: 0, height: 0 },
    pace: { points: 2_000_000, lastMove: 0 },
  };
  return {
    draw: (context, drawing) => draw(stage, context, drawing),
    release: (model) => {
      const own = stage.held.get(model);
      if (own === undefined) return;
      stage.held.delete(model);
      own.body.geometry.dispose();
      own.material.dispose();
      dropGrid(own);
    },
  };
}

function draw(stage: Stage, context: CanvasRenderingContext2D, drawing: Drawing): number {
  const { canvas, renderer, scene, held, pace } = stage;
  const { model, look, width, height, moving } = drawing;
  const own = held.get(model) ?? hold(model);
  held.set(model, own);
  setPace(pace, moving, performance.now());
  const count = model.vertex.length / 3;
  let drawn = count;
  if (own.body instanceof Points) {
    drawn = moving ? Math.min(count, Math.round(pace.points)) : count;
    own.body.geometry.setDrawRange(0, drawn);
  }
  adjust(own.material, drawing);
  scene.clear();
  scene.add(own.body, ...lightsOf(drawing));
  if (look.grid) scene.add(gridOf(own, drawing));
  scene.background = new Color(...parseColor(look.background));
  makeRoom(stage, width, height);
  renderer.setViewport(0, 0, width, height);
  renderer.setScissor(0, 0, width, height);
  renderer.render(scene, eyeOf(drawing));
  context.drawImage(canvas, 0, stage.size.height - height, width, height, 0, 0, width, height);
  if (look.grid) drawLabels(context, drawing);
  return drawn;
}

function makeRoom(stage: Stage, width: number, height: number): void {
  const { size, renderer } = stage;
  if (width <= size.width && height <= size.height) return;
  stage.size = { width: Math.max(width, size.width), height: Math.max(height, size.height) };
  renderer.setSize(stage.size.width, stage.size.height, false);
}

/** Fewer points after a slow frame, more after a quick one. */
export function setPace(pace: Pace, moving: boolean, now: number): void {
  const passed = now - pace.lastMove;
  // the first frame after a pause gives no frame time
  const follows = moving && pace.lastMove > 0;
  pace.lastMove = moving ? now : 0;
  if (!follows) return;
  if (passed > SLOW_MS) pace.points = Math.max(FEWEST_MOVING, pace.points * 0.7);
  else if (passed < QUICK_MS) pace.points = Math.min(1e8, pace.points * 1.15);
}

function hold(model: Model): Held {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(model.vertex, 3));
  if (model.color !== null) geometry.setAttribute("color", new BufferAttribute(model.color, 3, true));
  const { face } = model.data;
  let body: Points | Mesh;
  const material = face === null ? pointsMaterial(model) : faceMaterial(model, face.length / 3);
  if (face === null) body = new Points(geometry, material);
  else {
    geometry.setIndex(new BufferAttribute(face, 1));
    if (face.length / 3 <= SMOOTH_FACES) geometry.computeVertexNormals();
    body = new Mesh(geometry, material);
  }
  // culling one mesh takes longer than drawing it
  body.frustumCulled = false;
  return { body, material, grid: null, gridKey: "" };
}

function pointsMaterial(model: Model): PointsMaterial {
  const { color, opacity } = model.config.material;
  return new PointsMaterial({
    vertexColors: model.color !== null,
    ...(color === null ? {} : { color }),
    opacity,
    transparent: opacity < 1,
  });
}

function faceMaterial(model: Model, faces: number): Material {
  const config: MaterialConfig = model.config.material;
  const common = {
    vertexColors: model.color !== null,
    side: DoubleSide,
    opacity: config.opacity,
    transparent: config.opacity < 1,
  };
  const tint = config.color === null ? {} : { color: config.color };
  const glow = config.emissive === null ? {} : { emissive: config.emissive };
  const flatShading = config.flat ?? faces > SMOOTH_FACES;
  switch (config.cls) {
    case "MeshBasicMaterial":
      return new MeshBasicMaterial({ ...common, ...tint });
    case "MeshNormalMaterial":
      return new MeshNormalMaterial({ side: DoubleSide, flatShading });
    case "MeshPhongMaterial":
      return new MeshPhongMaterial({ ...common, ...tint, ...glow, flatShading, shininess: config.shininess });
    case "MeshStandardMaterial":
      return new MeshStandardMaterial({
        ...common,
        ...tint,
        ...glow,
        flatShading,
        roughness: config.roughness,
        metalness: config.metalness,
      });
    default:
      return new MeshLambertMaterial({ ...common, ...tint, ...glow, flatShading });
  }
}

/** Applies the user's settings to a material that was made from the logged configuration. */
function adjust(material: Material, drawing: Drawing): void {
  const { model, look } = drawing;
  const { color, size, attenuated, wireframe } = model.config.material;
  const tinted = model.color === null && color === null;
  if (material instanceof PointsMaterial) {
    const logged = look.pointSize === 0 && size !== null && attenuated;
    material.sizeAttenuation = logged;
    material.size = logged ? size : pointPx(drawing);
    if (tinted) material.color.setRGB(...parseColor(look.foreground));
  } else if ("wireframe" in material) {
    material.wireframe = look.wires || wireframe;
    if (tinted && "color" in material) (material.color as Color).setRGB(...parseColor(look.foreground));
  }
}

function lightsOf({ model, camera, look }: Drawing): readonly Object3D[] {
  const lights = model.config.lights;
  if (lights !== null) return lights.map(lightOf);
  // a lamp from the upper right behind the camera, and ambient light
  const { right, up, back } = basisOf(camera, look.up);
  const lamp = new DirectionalLight(0xffffff, 0.65 * LIGHT);
  const part = (k: 0 | 1 | 2): number => back[k] + 0.5 * up[k] + 0.35 * right[k];
  lamp.position.set(part(0), part(1), part(2));
  return [lamp, new AmbientLight(0xffffff, 0.45 * LIGHT)];
}

function lightOf({ cls, color, ground, intensity, position }: LightConfig): Light {
  const strength = intensity * LIGHT;
  const light =
    cls === "AmbientLight"
      ? new AmbientLight(color, strength)
      : cls === "HemisphereLight"
        ? new HemisphereLight(color, ground, strength)
        : cls === "PointLight"
          ? new PointLight(color, strength, 0, 0)
          : new DirectionalLight(color, strength);
  if (cls !== "AmbientLight") light.position.set(...position);
  return light;
}

function eyeOf({ camera, look, width, height, model }: Drawing): Camera {
  const { back, up } = basisOf(camera, look.up);
  const { x, y, z, distance } = camera;
  const aspect = width / height;
  const eye = [x + distance * back[0], y + distance * back[1], z + distance * back[2]] as const;
  const centre = centreOf(model.bounds);
  const away = Math.hypot(eye[0] - centre[0], eye[1] - centre[1], eye[2] - centre[2]);
  const around = 4 * radiusOf(model.bounds);
  const far = away + around;
  const half = distance * Math.tan((look.lens.fov * Math.PI) / 360);
  const made = look.lens.flat
    ? new OrthographicCamera(-half * aspect, half * aspect, half, -half, -around - distance, far)
    : new PerspectiveCamera(look.lens.fov, aspect, Math.max(away - around, distance * 1e-3), far);
  made.position.set(...eye);
  made.up.set(...up);
  made.lookAt(x, y, z);
  return made;
}

function gridOf(own: Held, { model, look }: Drawing): LineSegments {
  const key = `${look.up} ${look.line}`;
  if (own.grid !== null && own.gridKey === key) return own.grid;
  dropGrid(own);
  own.grid = linesOf(segmentsOf(model, look.up, look.line));
  own.gridKey = key;
  return own.grid;
}

function linesOf({ positions, colors }: Segments): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
  lines.frustumCulled = false;
  return lines;
}

function dropGrid(own: Held): void {
  own.grid?.geometry.dispose();
  (own.grid?.material as Material | undefined)?.dispose();
  own.grid = null;
}
