import { useRef } from "preact/hooks";
import { Link } from "../../components/link.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { Approvals } from "./approvals.tsx";
import { Collisions } from "./collisions.tsx";
import { Conflicts } from "./conflicts.tsx";
import { Contradictions, useContradictions } from "./contradictions.tsx";
import { Duplicates } from "./duplicates.tsx";
import { Pending } from "./pending.tsx";
import { Proposals } from "./proposals.tsx";
import { SaveInbox } from "./save-inbox.tsx";

/** Shown where there is something in it, or a person has come to it: most memories have no layers. */
const BETWEEN_LAYERS = { name: "layers", title: "Between layers", Part: Contradictions } as const;

/**
 * What waits for a decision: what the agent asks first, then conflicts, then what may be one, what farther layers say
 * otherwise, where they do, what may be worth keeping, and what nobody has reviewed. It opens at the first part where something waits, and stays there until a person leaves it: the
 * same keys decide in every part, so no other may come under their hands.
 */
export function InboxScreen() {
  const { router, agent } = usePage();
  const connection = agent.connection.value;
  const { query } = router.place.value;
  const { as_of: then } = query;
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
  const between = useContradictions().output?.contradictions.length ?? 0;
  const stats = useQuestion("stats", {}, { pause: 10_000 });
  const ofAgent = { name: "approvals", title: "Approvals", Part: Approvals } as const;
  const opened = useRef<string | undefined>(undefined);
  const hasBetween = between > 0 || [query.part, opened.current].includes(BETWEEN_LAYERS.name);
  const parts = [
    ...(connection === undefined ? [] : [{ ...ofAgent, count: connection.waiting.value }]),
    { name: "conflicts", title: "Conflicts", count: open.output?.total, Part: Conflicts },
    { name: "collisions", title: "Collisions", count: colliding.output?.total, Part: Collisions },
    ...(hasBetween ? [{ ...BETWEEN_LAYERS, count: between }] : []),
    { name: "proposals", title: "Proposals", count: proposed.output?.total, Part: Proposals },
    { name: "duplicates", title: "Said twice", count: undefined, Part: Duplicates },
    {
      name: "pending",
      title: "Not reviewed",
      count: stats.output?.consolidation.pending,
      Part: Pending,
    },
  ] as const;
  const waiting = parts.find(({ count }) => count !== undefined && count > 0);
  const isKnown = open.output !== undefined;
  const { value: standing } = agent.access.standing;
  const isAgentKnown =
    standing === "open" ? connection?.threads.value !== undefined : standing !== "asking";
  if (query.part !== undefined) opened.current = undefined;
  else if (isKnown && isAgentKnown) opened.current ??= waiting?.name;
  const first = opened.current ?? waiting?.name;
  const asked = query.part ?? (query.conflict === undefined ? first : "conflicts");
  const chosen = parts.find(({ name }) => name === asked) ?? parts[0];
  return (
    <div class="page-body inbox">
      <h1>Inbox</h1>
      <nav class="tabs" aria-label="Parts of the inbox">
        {parts.map(({ name, title, count }) => (
          <Link
            key={name}
            to={router.href({ screen: "inbox", query: { part: name } })}
            aria-current={name === chosen.name ? "page" : undefined}
          >
            {title} {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
          </Link>
        ))}
      </nav>
      {isKnown && <chosen.Part key={chosen.name} />}
      <SaveInbox part={chosen.name} />
    </div>
  );
}
