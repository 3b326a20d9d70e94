import { useEffect, useState } from "preact/hooks";

/** Shorter waits are not seen; from the second on, it says that it goes on. Milliseconds. */
const UNSEEN = 150;
const SLOW = 2_000;

/** True if something has lasted long enough to say so. */
export function useLonger(milliseconds: number, isWaiting: boolean): boolean {
  const [isLonger, setLonger] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLonger(false);
    const timer = setTimeout(() => setLonger(true), milliseconds);
    return () => clearTimeout(timer);
  }, [isWaiting, milliseconds]);
  return isWaiting && isLonger;
}

/** Grey lines of the height of what will come. */
export function Waiting({ rows = 6 }: { readonly rows?: number }) {
  const isSeen = useLonger(UNSEEN, true);
  const isSlow = useLonger(SLOW, true);
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
