import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import type { Found } from "../../data/query-cache.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { Approvals } from "./approvals.tsx";
import { Collisions } from "./collisions.tsx";
import { Conflicts } from "./conflicts.tsx";
import { Pending } from "./pending.tsx";
import { Proposals } from "./proposals.tsx";
import { SaveInbox } from "./save-inbox.tsx";

interface Part {
  readonly name: string;
  readonly title: string;
  readonly Part: () => JSX.Element | null;
  /** How much waits in it; undefined while it is not known, and where nobody counts it. */
  readonly count: number | undefined;
  readonly isKnown: boolean;
  /** False: not among the tabs. */
  readonly isShown?: boolean;
}

/**
 * What waits for a decision: what the agent asks first, then conflicts, then what may be one, what may be worth keeping, and what nobody has reviewed. It opens at the first part where
 * something waits, once it is known of all before it, and stays there until a person leaves it: the same keys decide
 * in every part, so no other may come under their hands.
 */
export function InboxScreen() {
  const { router } = usePage();
  const { query } = router.place.value;
  const opened = useRef<string | undefined>(undefined);
  const { parts, first, isFirstKnown } = useParts();
  if (query.part !== undefined) opened.current = undefined;
  else if (isFirstKnown) opened.current ??= first;
  const asked = query.part ?? (query.conflict === undefined ? opened.current : "conflicts");
  const named = parts.find(({ name }) => name === asked) ?? parts[0];
  const chosen = asked !== undefined || isFirstKnown ? named : undefined;
  return (
    <div class="page-body inbox">
      <h1>Inbox</h1>
      <nav class="tabs" aria-label="Parts of the inbox">
        {parts.map(({ name, title, count }) => (
          <Link
            key={name}
            to={router.href({ screen: "inbox", query: { part: name } })}
            aria-current={name === chosen?.name ? "page" : undefined}
          >
            {title} {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? <Waiting rows={4} /> : <chosen.Part key={chosen.name} />}
      {chosen !== undefined && <SaveInbox part={chosen.name} />}
    </div>
  );
}

function useParts() {
  const { router, agent } = usePage();
  const connection = agent.connection.value;
  const { as_of: then } = router.place.value.query;
  const open = useQuestion(
    "list_conflicts",
    { status: "open", limit: 1, ...(then && { until: then }) },
    { pause: 1_000 },
  );
  const colliding = useQuestion(
    "items",
    { kinds: ["concept"], has: ["collision"], limit: 1, count: true, ...(then && { as_of: then }) },
    { pause: 5_000 },
  );
  const proposed = useQuestion(
    "list_proposals",
    { status: "open", limit: 1, ...(then && { until: then }) },
    { pause: 1_000 },
  );
  const stats = useQuestion("stats", {}, { pause: 10_000 });
  const { value: standing } = agent.access.standing;
  const all: readonly Part[] = [
    {
      ...{ name: "approvals", title: "Approvals", Part: Approvals },
      count: connection?.waiting.value,
      isKnown:
        standing === "open" ? connection?.threads.value !== undefined : standing !== "asking",
      isShown: connection !== undefined,
    },
    {
      ...{ name: "conflicts", title: "Conflicts", Part: Conflicts },
      ...{ count: open.output?.total, isKnown: isSettled(open) },
    },
    {
      ...{ name: "collisions", title: "Collisions", Part: Collisions },
      ...{ count: colliding.output?.total, isKnown: isSettled(colliding) },
    },
    {
      ...{ name: "proposals", title: "Proposals", Part: Proposals },
      ...{ count: proposed.output?.total, isKnown: isSettled(proposed) },
    },
    {
      ...{ name: "pending", title: "Not reviewed", Part: Pending },
      ...{ count: stats.output?.consolidation.pending, isKnown: isSettled(stats) },
    },
  ];
  const at = all.findIndex(waits);
  const before = at === -1 ? all : all.slice(0, at);
  return {
    parts: all.filter(({ isShown = true }) => isShown),
    first: all[at]?.name,
    isFirstKnown: before.every(({ isKnown }) => isKnown),
  };
}

function waits({ count = 0 }: Part): boolean {
  return count > 0;
}

function isSettled({ output, failure }: Found<unknown>): boolean {
  return output !== undefined || failure !== undefined;
}
