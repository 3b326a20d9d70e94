import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { type LayoutEdge, layOut } from "./graph-layout.ts";

export interface Placed {
  readonly x: number;
  readonly y: number;
}

export function useLayout(
  ids: readonly string[],
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, Placed> | undefined {
  const known = useRef<ReadonlyMap<string, Placed>>(new Map());
  const { layoutWorker } = usePage();
  const number = useRef(0);
  const [placed, setPlaced] = useState<ReadonlyMap<string, Placed> | undefined>(undefined);
  const key = useMemo(() => JSON.stringify([ids, edges]), [ids, edges]);
  useEffect(() => {
    if (ids.length === 0) return setPlaced(new Map());
    number.current += 1;
    const asked = number.current;
    const nodes = ids.map((id) => ({ id, ...known.current.get(id) }));
    const take = (positions: Float32Array) => {
      if (asked !== number.current) return;
      const next = new Map(
        ids.map((id, index) => [
          id,
          { x: positions[index * 2] ?? 0, y: positions[index * 2 + 1] ?? 0 },
        ]),
      );
      known.current = next;
      setPlaced(next);
    };
    const present = layoutWorker.get();
    if (present === undefined) return take(layOut(nodes, edges));
    const listen = ({ data }: MessageEvent) => {
      if (data.number === asked) take(data.positions);
    };
    present.addEventListener("message", listen);
    present.postMessage({ number: asked, nodes, edges });
    return () => present.removeEventListener("message", listen);
  }, [key]);
  return placed;
}
