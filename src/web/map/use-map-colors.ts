import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../page.ts";
import type { MapColors } from "./paint-map.ts";

const DARK = "(prefers-color-scheme: dark)";

/**
 * The colours of the theme, for the canvas, which knows nothing of style sheets: read from elements
 * that carry them as `data-color`.
 */
export function useMapColors(frame: RefObject<HTMLElement | null>): MapColors | undefined {
  const { preferences } = usePage();
  const { theme } = preferences.choices.value;
  const [colors, setColors] = useState<MapColors>();
  useEffect(() => {
    const read = () => {
      const { current } = frame;
      if (current !== null) setColors(colorsIn(current));
    };
    read();
    const media = matchMedia(DARK);
    media.addEventListener("change", read);
    return () => media.removeEventListener("change", read);
  }, [theme]);
  return colors;
}

function colorsIn(frame: HTMLElement): MapColors {
  const found: Record<string, string> = {};
  for (const element of frame.querySelectorAll<HTMLElement>("[data-color]")) {
    found[element.dataset.color ?? ""] = getComputedStyle(element).color;
  }
  const { line = "", accent = "", surface = "", text = "", ...kinds } = found;
  return { line, accent, surface, text, kinds };
}
