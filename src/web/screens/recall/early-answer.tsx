import { useEffect } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { useLonger } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import type { RecallInput } from "./recall-query.ts";

/** Whoever waits longer is shown what is found at once; milliseconds. */
const LONG = 1_000;
const AT_ONCE = 500;
const AGAIN = 2_000;

export function useEarlyAnswer(
  input: RecallInput,
  { db, isWaiting }: { readonly db: string | undefined; readonly isWaiting: boolean },
): OutputOf<"recall"> | undefined {
  const isLong = useLonger(LONG, isWaiting);
  const early = useQuestion(
    "recall",
    { ...input, explain: true, timeout_ms: AT_ONCE },
    { of: db, when: isLong },
  );
  const { isLoading, again } = early;
  useEffect(() => {
    if (!isLong || isLoading) return;
    const timer = setTimeout(again, AGAIN);
    return () => clearTimeout(timer);
  }, [isLong, isLoading]);
  return early.output;
}

/** Says that more is to come, and for what. */
export function StillAsking({ missing }: { readonly missing: number }) {
  return (
    <p class="progress" role="status">
      <progress aria-label="The whole answer is under way" />
      <span class="quiet">
        This is what words and connections find.{" "}
        {missing > 0
          ? `${missing.toLocaleString("en")} items have no vector yet; the whole answer comes with them.`
          : "The whole answer is under way."}
      </span>
    </p>
  );
}
