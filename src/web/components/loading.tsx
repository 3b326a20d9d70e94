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

export function WorkProgressLine({ of }: { readonly of: WorkProgress | undefined }) {
  return (
    <p class="progress" role="status">
      {of === undefined || of.total === 0 ? (
        <progress aria-label="In progress" />
      ) : (
        <progress max={of.total} value={of.done} aria-label={of.stage} />
      )}
      <span class="quiet">
        {of === undefined
          ? "In progress"
          : `${of.stage} ${of.done.toLocaleString("en")} of ${of.total.toLocaleString("en")}`}
      </span>
    </p>
  );
}
