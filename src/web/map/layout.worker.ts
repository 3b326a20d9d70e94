import { computeLayout, type LayoutEdge, type LayoutNode } from "./graph-layout.ts";

/** Lays out one map per message, off the main thread. */
self.addEventListener("message", (event: MessageEvent) => {
  const { number, nodes, edges } = event.data as {
    readonly number: number;
    readonly nodes: readonly LayoutNode[];
    readonly edges: readonly LayoutEdge[];
  };
  const positions = computeLayout(nodes, edges);
  self.postMessage({ number, positions });
});
