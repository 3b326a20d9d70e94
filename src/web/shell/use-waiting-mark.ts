import { useEffect } from "preact/hooks";

export function useWaitingMark(waiting: number): void {
  const name = waiting === 0 ? "icon" : "icon-waiting";
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", `/ui/assets/${name}.svg`);
  }, [name]);
}
