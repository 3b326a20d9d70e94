import { type LayoutEdge, type LayoutNode, layOut } from "./graph-layout.ts";

/** Lays out a map away from the page, once for each request. */
self.addEventListener("message", (event: MessageEvent) => {
  const { number, nodes, edges } = event.data as {
    readonly number: number;
    readonly nodes: readonly LayoutNode[];
    readonly edges: readonly LayoutEdge[];
  };
  const positions = layOut(nodes, edges);
  self.postMessage({ number, positions });
});
