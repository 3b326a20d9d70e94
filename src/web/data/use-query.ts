import { useEffect, useState } from "preact/hooks";
import type { InputOf, OutputOf } from "../../memory/index.ts";
import { usePage } from "../page.ts";
import type { Found } from "./query-cache.ts";
import type { RoutedOperation } from "./routes.ts";

export interface QueryOptions {
  /** Minimum milliseconds between requests while others write, for expensive queries. */
  readonly pause?: number;
  /** False disables the request. */
  readonly when?: boolean;
  /** Repeats the request only on demand, not whenever memory changes. */
  readonly isFixed?: boolean;
}

const NOTHING = { output: undefined, version: undefined, failure: undefined, isLoading: false };

export function useQuery<Name extends RoutedOperation>(
  name: Name,
  input: InputOf<Name>,
  { pause = 0, when = true, isFixed = false }: QueryOptions = {},
): Found<OutputOf<Name>> & { retry(): void } {
  const { router, cache, live } = usePage();
  const { db } = router.location.value;
  const revision = isFixed ? 0 : live.revision.value;
  const [attempt, setAttempt] = useState(0);
  const question = { db, name, input };
  const key = JSON.stringify(question);
  const asks = when && db !== "";
  useEffect(() => (asks ? cache.hold(question) : undefined), [key, asks]);
  useEffect(() => {
    if (!asks) return;
    const least = live.hasOwnWrite(revision) ? 0 : pause;
    // Each retry counts as a new revision.
    cache.refresh(question, { revision: revision + attempt * 1e6, pause: least });
  }, [key, revision, attempt, asks]);
  const found = asks ? cache.watch(question).value : NOTHING;
  return { ...found, retry: () => setAttempt((count) => count + 1) };
}
