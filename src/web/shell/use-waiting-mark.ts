import { useEffect } from "preact/hooks";

/** The icon of the window has a mark while something waits for the person. */
export function useWaitingMark(waiting: number): void {
  const name = waiting === 0 ? "icon" : "icon-waiting";
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", `/ui/assets/${name}.svg`);
  }, [name]);
}
