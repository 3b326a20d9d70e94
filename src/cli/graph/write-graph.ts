import { shorten } from "../../shared/text.ts";
import type { MapEdge, MapNode, MemoryMap } from "./map.ts";
import { type Branch, buildTrees } from "./map.ts";

/** Pixels between columns, and between rows of a column. */
const COLUMN = 300;
const ROW = 30;
const MARGIN = 20;
const MAX_CHARS = 40;

interface Placed {
  readonly node: MapNode;
  readonly x: number;
  readonly y: number;
}

/**
 * Draws columns by distance from the center, with children next to their parent. Deterministic;
 * inherits colors from the page.
 */
function drawSvg(map: MemoryMap): string {
  const nodes = place(buildTrees(map));
  const width = Math.max(...nodes.map(({ x }) => x), 0) + COLUMN + MARGIN;
  const height = Math.max(...nodes.map(({ y }) => y), 0) + ROW + MARGIN;
  const at = new Map(nodes.map((one) => [one.node.id, one]));
  const lines = map.edges.flatMap(({ source, target, type, strength }) => {
    const [from, to] = [at.get(source), at.get(target)];
    if (from === undefined || to === undefined) return [];
    const middle = (from.x + to.x) / 2;
    const path = `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    const opacity = (0.15 + 0.45 * Math.min(1, strength)).toFixed(2);
    return [`<path d="${path}" opacity="${opacity}"><title>${escapeXml(type)}</title></path>`];
  });
  const points = nodes.map(({ node, x, y }) => drawNode(node, x, y));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none" stroke="currentColor" font-family="system-ui, sans-serif" font-size="13">
${[...lines, ...points].join("\n")}
</svg>
`;
}

const RADIUS: Readonly<Record<string, number>> = { concept: 7, episode: 5, entity: 4 };

function drawNode(node: MapNode, x: number, y: number): string {
  const name = node.kind === "entity" ? node.id : node.title;
  const shown = shorten(name, MAX_CHARS);
  const fill = node.hops === 0 ? "currentColor" : "Canvas";
  return `<g><title>${escapeXml(`${node.id} ${node.type}: ${name}`)}</title><circle cx="${x}" cy="${y}" r="${RADIUS[node.kind] ?? 5}" fill="${fill}"/><text x="${x + 12}" y="${y + 4}" fill="currentColor" stroke="none">${escapeXml(shown)}</text></g>`;
}

/** Gives each leaf a row; centers parents on their children. */
function place(trees: readonly Branch[]): Placed[] {
  const nodes: Placed[] = [];
  let row = 0;
  const placeBranch = ({ node, branches }: Branch, column: number): number => {
    const rows = branches.map((branch) => placeBranch(branch, column + 1));
    const [first, last] = [rows[0], rows.at(-1)];
    const own = first === undefined || last === undefined ? row++ : (first + last) / 2;
    nodes.push({ node, x: MARGIN + column * COLUMN, y: MARGIN + own * ROW });
    return own;
  };
  for (const tree of trees) placeBranch(tree, 0);
  return nodes;
}

function escapeXml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, " ")
    .replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/** Formats for other programs, with titles instead of ids. */
export const GRAPH_WRITERS: Readonly<Record<string, (map: MemoryMap) => string>> = {
  dot: writeDot,
  mermaid: writeMermaid,
  svg: drawSvg,
  html: writeHtml,
};

function writeDot({ nodes, edges }: MemoryMap): string {
  const lines = [
    ...nodes.map((node) => `  ${quoted(node.id)} [label=${quoted(nodeLabel(node))}];`),
    ...edges.map(
      ({ source, target, type }) =>
        `  ${quoted(source)} -> ${quoted(target)} [label=${quoted(type)}];`,
    ),
  ];
  return `digraph memory {\n  node [shape=box];\n${lines.join("\n")}\n}\n`;
}

/** Numbers nodes, since Mermaid restricts characters in ids. */
function writeMermaid({ nodes, edges }: MemoryMap): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    ...nodes.map((node) => `  ${names.get(node.id)}["${escapeHtml(nodeLabel(node))}"]`),
    ...edges.map((edge) => mermaidEdge(edge, names)),
  ];
  return `graph LR\n${lines.join("\n")}\n`;
}

function mermaidEdge({ source, target, type }: MapEdge, names: ReadonlyMap<string, string>) {
  return `  ${names.get(source)} -->|"${escapeHtml(type)}"| ${names.get(target)}`;
}

function writeHtml(map: MemoryMap): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Memory</title>
<style>:root { color-scheme: light dark } body { margin: 0 } svg { width: 100%; height: 100vh }</style>
${drawSvg(map)}</html>
`;
}

function nodeLabel({ id, kind, title }: MapNode): string {
  return kind === "entity" ? id : title;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", " ")}"`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
