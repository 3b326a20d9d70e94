import { shorten } from "../../shared/text.ts";
import { type Branch, type MapNode, type MemoryMap, treesOf } from "./map.ts";

/** Pixels between the columns, and between the rows of one. */
const COLUMN = 300;
const ROW = 30;
const MARGIN = 20;
const MOST_CHARS = 40;

interface Placed {
  readonly node: MapNode;
  readonly x: number;
  readonly y: number;
}

/**
 * Draws the map in columns by distance from the center, each node next to those that it leads to.
 * The same map always gives the same picture. Colours come from the surrounding page.
 */
export function drawSvg(map: MemoryMap): string {
  const placed = place(treesOf(map));
  const width = Math.max(...placed.map(({ x }) => x), 0) + COLUMN + MARGIN;
  const height = Math.max(...placed.map(({ y }) => y), 0) + ROW + MARGIN;
  const at = new Map(placed.map((one) => [one.node.id, one]));
  const lines = map.edges.flatMap(({ source, target, type, strength }) => {
    const [from, to] = [at.get(source), at.get(target)];
    if (from === undefined || to === undefined) return [];
    const middle = (from.x + to.x) / 2;
    const path = `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    const opacity = (0.15 + 0.45 * Math.min(1, strength)).toFixed(2);
    return [`<path d="${path}" opacity="${opacity}"><title>${escapeXml(type)}</title></path>`];
  });
  const points = placed.map(({ node, x, y }) => drawNode(node, x, y));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none" stroke="currentColor" font-family="system-ui, sans-serif" font-size="13">
${[...lines, ...points].join("\n")}
</svg>
`;
}

const RADIUS: Readonly<Record<string, number>> = { concept: 7, episode: 5, entity: 4 };

function drawNode(node: MapNode, x: number, y: number): string {
  const name = node.kind === "entity" ? node.id : node.title;
  const shown = shorten(name, MOST_CHARS);
  const fill = node.hops === 0 ? "currentColor" : "Canvas";
  return `<g><title>${escapeXml(`${node.id} ${node.type}: ${name}`)}</title><circle cx="${x}" cy="${y}" r="${RADIUS[node.kind] ?? 5}" fill="${fill}"/><text x="${x + 12}" y="${y + 4}" fill="currentColor" stroke="none">${escapeXml(shown)}</text></g>`;
}

/** Each leaf gets a row; a node with several children is centred on them. */
function place(trees: readonly Branch[]): Placed[] {
  const placed: Placed[] = [];
  let row = 0;
  const put = ({ node, branches }: Branch, column: number): number => {
    const rows = branches.map((branch) => put(branch, column + 1));
    const [first, last] = [rows[0], rows.at(-1)];
    const own = first === undefined || last === undefined ? row++ : (first + last) / 2;
    placed.push({ node, x: MARGIN + column * COLUMN, y: MARGIN + own * ROW });
    return own;
  };
  for (const tree of trees) put(tree, 0);
  return placed;
}

function escapeXml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, " ")
    .replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
