import { inLine } from "../render/show-value.ts";
import type { Style } from "../render/style.ts";
import { type Branch, buildTrees, type MapNode, type MemoryMap } from "./map.ts";

/** Draws an indented tree, with titles first. */
export function drawTree(map: MemoryMap, style: Style): string[] {
  if (map.nodes.length === 0)
    return ["There are no concepts yet. Choose a center: cairn graph ep:1"];
  return buildTrees(map).flatMap((tree) => [
    showNode(tree.node, style),
    ...drawBranches(tree.branches, "", style),
  ]);
}

function drawBranches(branches: readonly Branch[], indent: string, style: Style): string[] {
  return branches.flatMap(({ node, edge, branches: below }, index) => {
    const isLast = index === branches.length - 1;
    const arrow = edge?.source === node.id ? "◄ " : " ";
    const relation = style.colors.dim(inLine(edge?.type).replaceAll("_", " "));
    const head = `${indent}${isLast ? "└─" : "├─"}${arrow}${relation}  ${showNode(node, style)}`;
    return [head, ...drawBranches(below, `${indent}${isLast ? "  " : "│ "} `, style)];
  });
}

function showNode({ id, title, type, kind, folded }: MapNode, { colors }: Style): string {
  const name = kind === "entity" ? inLine(id) : inLine(title);
  const idAndType =
    kind === "entity" ? "" : `  ${colors.cyan(inLine(id))} ${colors.dim(inLine(type))}`;
  return `${colors.bold(name)}${idAndType}${folded > 0 ? colors.dim(`  +${folded} more`) : ""}`;
}
