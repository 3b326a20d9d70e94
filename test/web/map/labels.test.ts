import { describe, expect, it } from "vitest";
import { type Labels, placeLabels } from "../../../src/web/map/place-labels.ts";
import {
  fittedView,
  getPoint,
  type MapEdge,
  type MapNode,
  makeScene,
  nodeAt,
  nodeTowards,
  viewWith,
  zoomedAt,
} from "../../../src/web/map/scene.ts";

const SIZE = { width: 900, height: 600 };

describe("labels of the map", () => {
  it("never overlap at any scale, and keep their size", () => {
    const scene = scattered(600);
    const whole = fittedView(scene, SIZE);
    for (const factor of [0.5, 1, 2, 5, 12]) {
      const view = zoomedAt(whole, { x: 450, y: 300 }, factor);
      const labels = placed(scene, { view, first: [3], selected: 3 });
      expect(labels.nodes.length).toBeGreaterThan(3);
      expect(overlaps(labels)).toEqual([]);
    }
  });

  it("stay within the map", () => {
    const scene = scattered(600);
    const narrow = { width: 320, height: 400 };
    const whole = fittedView(scene, narrow);
    for (const factor of [1, 3, 9]) {
      const view = zoomedAt(whole, { x: 160, y: 200 }, factor);
      const { nodes } = placeLabels(scene, {
        view,
        size: narrow,
        first: [3],
        selected: undefined,
        widthOf,
      });
      expect(nodes.length).toBeGreaterThan(2);
      const ends = nodes.flatMap(({ at, text }) => [
        at.x - widthOf(text) / 2,
        at.x + widthOf(text) / 2,
      ]);
      expect(Math.min(...ends)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...ends)).toBeLessThanOrEqual(narrow.width);
    }
  });

  it("show more nodes in view when zoomed in", () => {
    const scene = scattered(600);
    const whole = fittedView(scene, SIZE);
    const share = (view: typeof whole) => {
      const inView = scene.nodes.filter((_node, index) => {
        const { x, y } = getPoint(scene, index, view);
        return x > 0 && y > 0 && x < SIZE.width && y < SIZE.height - 40;
      });
      return placed(scene, { view, first: [] }).nodes.length / inView.length;
    };
    const close = share(zoomedAt(whole, { x: 450, y: 300 }, 12));
    expect(close).toBeGreaterThan(2 * share(whole));
  });

  it("prefer the selected node over the most connected ones, and name its relations", () => {
    const scene = makeScene(
      [node("a", { degree: 1 }), node("b", { degree: 90 }), node("c", { degree: 2 })],
      [edge("a", "c", "depends_on"), edge("a", "c", "written_by"), edge("b", "c", "mention")],
      new Map([
        ["a", { x: 0, y: 0 }],
        ["b", { x: 4, y: 4 }],
        ["c", { x: 400, y: 0 }],
      ]),
    );
    const view = { x: 200, y: 200, scale: 1 };
    const a = scene.indexes.get("a");
    const labels = placed(scene, { view, first: [a ?? -1], selected: a });
    expect(labels.nodes.map(({ text }) => text)).toEqual(["title of a", "title of c"]);
    expect(labels.names.map(({ text }) => text)).toEqual(["depends on, written by"]);
  });
});

describe("the window on the map", () => {
  it("keep the position under the pointer when zooming", () => {
    const view = { x: 30, y: -20, scale: 0.7 };
    const at = { x: 333, y: 222 };
    const under = ({ x, y, scale }: typeof view) => [(at.x - x) / scale, (at.y - y) / scale];
    for (const factor of [1.2, 0.4, 100, 0.001]) {
      const zoomed = under(zoomedAt(view, at, factor));
      for (const [index, value] of under(view).entries()) {
        expect(zoomed[index]).toBeCloseTo(value, 6);
      }
    }
  });

  it("fit every node, and follow one outside the view", () => {
    const scene = scattered(300);
    const whole = fittedView(scene, SIZE);
    for (let index = 0; index < 300; index += 1) {
      const { x, y } = getPoint(scene, index, whole);
      expect(x > 0 && y > 0 && x < SIZE.width && y < SIZE.height).toBe(true);
    }
    const far = viewWith({ x: 0, y: 0, scale: 3 }, { x: 5_000, y: -5_000 }, SIZE);
    expect(
      getPoint({ ...scene, xs: Float32Array.of(5_000), ys: Float32Array.of(-5_000) }, 0, far),
    ).toEqual({
      x: SIZE.width - 56,
      y: 56,
    });
  });

  it("find the node under the pointer, and none on empty ground", () => {
    const scene = scattered(300);
    const whole = fittedView(scene, SIZE);
    const at = getPoint(scene, 17, zoomedAt(whole, { x: 0, y: 0 }, 6));
    expect(nodeAt(scene, zoomedAt(whole, { x: 0, y: 0 }, 6), at)).toBe(17);
    expect(nodeAt(scene, whole, { x: -500, y: -500 })).toBeUndefined();
  });

  it("reach every node with arrow keys", () => {
    const scene = scattered(250);
    const reached = new Set([0]);
    for (const index of reached) {
      for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
        const next = nodeTowards(scene, index, key);
        if (next !== undefined) reached.add(next);
      }
    }
    expect(reached.size).toBe(250);
    expect(nodeTowards(scene, 0, "Enter")).toBeUndefined();
  });
});

interface Asked {
  readonly view: { x: number; y: number; scale: number };
  readonly first: readonly number[];
  readonly selected?: number | undefined;
}

function placed(scene: ReturnType<typeof makeScene>, { view, first, selected }: Asked): Labels {
  return placeLabels(scene, { view, size: SIZE, first, selected, widthOf: widthOf });
}

function widthOf(text: string): number {
  return text.length * 7;
}

function overlaps({ nodes, names }: Labels): string[] {
  const boxes = [
    ...nodes.map(({ text, at }) => ({ text, at, height: 24 })),
    ...names.map(({ text, at }) => ({ text, at, height: 16 })),
  ];
  return boxes.flatMap((a, index) =>
    boxes.slice(index + 1).flatMap((b) => {
      const apart = Math.abs(a.at.x - b.at.x) >= (widthOf(a.text) + widthOf(b.text)) / 2;
      const below = a.at.y >= b.at.y + b.height || b.at.y >= a.at.y + a.height;
      return apart || below ? [] : [`${a.text} / ${b.text}`];
    }),
  );
}

function scattered(count: number) {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const ids = Array.from({ length: count }, (_unused, n) => `n${n}`);
  const places = new Map(ids.map((id) => [id, { x: random() * 3_000, y: random() * 2_000 }]));
  const nodes = ids.map((id) => node(id, { degree: Math.floor(random() * 40) }));
  const edges = ids.slice(1).map((id, n) => edge(id, `n${Math.floor(n / 3)}`, "uses"));
  return makeScene(nodes, edges, places);
}

function node(id: string, { degree }: { degree: number }): MapNode {
  return {
    id,
    kind: "entity",
    type: "tool",
    title: `title of ${id}`,
    at: "2026-01-01T00:00:00.000Z",
    confidence: null,
    hops: 0,
    degree,
    folded: 0,
  };
}

function edge(source: string, target: string, type: string): MapEdge {
  return { source, target, type, kind: "entity", strength: 0.5, valid_from: null, valid_to: null };
}
