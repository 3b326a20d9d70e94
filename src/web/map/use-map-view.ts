import { useEffect, useRef, useState } from "preact/hooks";
import type { MapView } from "./geometry.ts";

const BEGIN: MapView = { x: 0, y: 0, scale: 1 };

export function useMapView(): [MapView, (move: (view: MapView) => MapView) => void] {
  const [view, setView] = useState(BEGIN);
  const next = useRef(BEGIN);
  const frame = useRef<number | undefined>(undefined);
  useEffect(() => () => cancelAnimationFrame(frame.current ?? 0), []);
  const change = (move: (view: MapView) => MapView) => {
    next.current = move(next.current);
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      setView(next.current);
    });
  };
  return [view, change];
}
