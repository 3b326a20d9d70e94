import { useEffect, useState } from "preact/hooks";
import type { WorkProgress } from "../data/long-work.ts";

/** Milliseconds before a loading state appears, and before it reports slow progress. */
const HIDDEN_MS = 150;
const SLOW_MS = 2_000;

/** True if `isWaiting` has been true for this many milliseconds. */
export function useDelayed(milliseconds: number, isWaiting: boolean): boolean {
  const [isLonger, setLonger] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLonger(false);
    const timer = setTimeout(() => setLonger(true), milliseconds);
    return () => clearTimeout(timer);
  }, [isWaiting, milliseconds]);
  return isWaiting && isLonger;
}

/** Placeholder lines of the height of the expected content. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  const isSeen = useDelayed(HIDDEN_MS, true);
  const isSlow = useDelayed(SLOW_MS, true);
  if (!isSeen) return null;
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {isSlow && <p class="quiet">Still loading …</p>}
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div class="waiting-row" key={row} />
      ))}
    </div>
  );
}

export function WorkProgressLine({ progress }: { readonly progress: WorkProgress | undefined }) {
  return (
    <p class="progress" role="status">
      {progress === undefined || progress.total === 0 ? (
        <progress aria-label="In progress" />
      ) : (
        <progress max={progress.total} value={progress.done} aria-label={progress.stage} />
      )}
      <span class="quiet">
        {progress === undefined
          ? "In progress"
          : `${progress.stage} ${progress.done.toLocaleString("en")} of ${progress.total.toLocaleString("en")}`}
      </span>
    </p>
  );
}
