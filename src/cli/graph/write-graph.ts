import { drawSvg } from "./draw-svg.ts";
import type { MapEdge, MapNode, MemoryMap } from "./map.ts";

/** Writers of formats for other programs, with titles instead of ids. */
export const GRAPH_WRITERS: Readonly<Record<string, (map: MemoryMap) => string>> = {
  dot: writeDot,
  mermaid: writeMermaid,
  svg: drawSvg,
  html: writeHtml,
};

function writeDot({ nodes, edges }: MemoryMap): string {
  const lines = [
    ...nodes.map((node) => `  ${quoted(node.id)} [label=${quoted(labelOf(node))}];`),
    ...edges.map(
      ({ source, target, type }) =>
        `  ${quoted(source)} -> ${quoted(target)} [label=${quoted(type)}];`,
    ),
  ];
  return `digraph memory {\n  node [shape=box];\n${lines.join("\n")}\n}\n`;
}

/** Nodes are numbered, since Mermaid allows few characters in ids. */
function writeMermaid({ nodes, edges }: MemoryMap): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    ...nodes.map((node) => `  ${names.get(node.id)}["${escapeHtml(labelOf(node))}"]`),
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

function labelOf({ id, kind, title }: MapNode): string {
  return kind === "entity" ? id : title;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", " ")}"`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
