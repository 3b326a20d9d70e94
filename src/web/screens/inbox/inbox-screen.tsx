import type { JSX } from "preact";
import { Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import type { Found } from "../../data/query-cache.ts";
import { useQuery } from "../../data/use-query.ts";
import type { Writer } from "../../data/writer.ts";
import { usePage } from "../../page.ts";
import { Approvals } from "./approvals.tsx";
import { Conflicts, type Fact, FactPair } from "./conflicts.tsx";
import { type Choice, Decisions } from "./decisions.tsx";
import { Pending } from "./pending.tsx";
import { Proposals } from "./proposals.tsx";

interface Verdict extends Pick<Choice<unknown>, "id" | "title" | "key" | "look" | "isInItem"> {
  readonly message: string;
  opsFor(pair: Pair): readonly object[];
}

const VERDICTS: readonly Verdict[] = [
  {
    id: "keep-1",
    title: "Keep first",
    key: "1",
    isInItem: true,
    message: "Superseded the second fact.",
    opsFor: ([a, b]) => [supersede(b, a)],
  },
  {
    id: "keep-2",
    title: "Keep second",
    key: "2",
    isInItem: true,
    message: "Superseded the first fact.",
    opsFor: ([a, b]) => [supersede(a, b)],
  },
  {
    id: "both",
    title: "Keep both",
    key: "b",
    look: "primary",
    message: "Kept both facts.",
    opsFor: (pair) => [dispute(pair), { op: "dismiss", id: "$it", note: "Not a contradiction." }],
  },
  {
    id: "contradiction",
    title: "Mark as conflict",
    key: "c",
    message: "Opened a conflict.",
    opsFor: (pair) => [dispute(pair)],
  },
];

/** Returns the choices for the displayed pair; unavailable until it is loaded. */
function choicesFor(
  writer: Writer,
  pair: Pair | undefined,
): readonly Choice<{ readonly id: string }>[] {
  return VERDICTS.map(({ message, opsFor, ...choice }) => ({
    ...choice,
    applies: ({ id }) => pair?.[0].id === id,
    async decide(_fact, options) {
      if (pair === undefined) return undefined;
      const changeset = JSON.stringify(opsFor(pair));
      return writer.write("apply", { changeset }, { ...options, done: message });
    },
  }));
}

function supersede(old: Fact, fresh: Fact) {
  return { op: "supersede", old: old.id, new: fresh.id };
}

function dispute([a, b]: Pair) {
  return { op: "conflict", fact_a: a.id, fact_b: b.id, as: "it" };
}

type Pair = readonly [Fact, Fact];

interface Cluster {
  readonly facts: readonly Fact[];
  readonly conflicts: readonly { readonly fact_a: Fact; readonly fact_b: Fact }[];
}

/** Returns the fact and the first active fact of its cluster without a conflict between the two. */
function getPair(id: string, cluster: Cluster | undefined): Pair | undefined {
  if (cluster === undefined) return undefined;
  const active = cluster.facts.filter(({ status }) => status === "active");
  const fact = active.find((one) => one.id === id);
  if (fact === undefined) return undefined;
  const isCompared = (other: Fact) =>
    cluster.conflicts.some(
      ({ fact_a: a, fact_b: b }) =>
        (a.id === id && b.id === other.id) || (b.id === id && a.id === other.id),
    );
  const other = active.find(
    (one) =>
      one.id !== id &&
      !isCompared(one) &&
      (one.statement === fact.statement ||
        one.entities.some((entity) => fact.entities.includes(entity))),
  );
  return other === undefined ? undefined : [fact, other];
}

type Item = OutputOf<"items">["items"][number];

/** Number of facts loaded ahead, so that the next one appears immediately. */
const READY = 100;

function Collisions() {
  const { writer, router } = usePage();
  const { as_of: asOf } = router.location.value.query;
  const { output, failure, retry } = useQuery("items", {
    kinds: ["fact"],
    has: ["collision"],
    sort: "oldest",
    limit: READY,
    ...(asOf && { as_of: asOf }),
  });
  const [pair, setPair] = useState<Pair>();
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={4} />;
  return (
    <Decisions<Item>
      items={output.items}
      total={undefined}
      keyOf={({ id }) => `collision of ${id}`}
      choices={choicesFor(writer, pair)}
      label={() => "Possible conflict"}
      nothing="No possible conflicts."
    >
      {(fact) => <Collision key={fact.id} item={fact} onPair={setPair} />}
    </Decisions>
  );
}

interface CollisionProps {
  readonly item: Item;
  /** Called with the displayed pair, which a decision applies to. */
  onPair(pair: Pair | undefined): void;
}

function Collision({ item: { id, cluster_id: cluster }, onPair }: CollisionProps) {
  const { output } = useQuery(
    "cluster_timeline",
    { cluster_id: cluster ?? "" },
    { when: cluster !== null },
  );
  const pair = useMemo(() => getPair(id, output), [id, output]);
  useEffect(() => onPair(pair), [pair]);
  return pair === undefined ? <Loading rows={4} /> : <PairOfFacts pair={pair} />;
}

function PairOfFacts({ pair: [a, b] }: { readonly pair: Pair }) {
  return (
    <>
      <h2>Do these facts contradict each other?</h2>
      <p class="quiet">
        Shared entities:{" "}
        {a.entities.slice(0, 3).map((entity) => (
          <Fragment key={entity}>
            <ItemLink id={entity} />{" "}
          </Fragment>
        ))}
      </p>
      <FactPair facts={[a, b]} />
    </>
  );
}

interface Part {
  readonly name: string;
  readonly title: string;
  readonly Part: () => JSX.Element | null;
  /** Number of pending items; undefined while loading or if the part has no count. */
  readonly count: number | undefined;
  readonly isKnown: boolean;
  /** False hides the tab. */
  readonly isShown?: boolean;
}

/**
 * Pending decisions by part, most urgent first. Opens the first part with pending items and stays
 * there: the same keys decide in every part, so a switch would redirect a key press.
 */
export function InboxScreen() {
  const { router } = usePage();
  const { query } = router.location.value;
  const opened = useRef<string | undefined>(undefined);
  const { parts, first, isFirstKnown } = useParts();
  if (query.part !== undefined) opened.current = undefined;
  else if (isFirstKnown) opened.current ??= first;
  const part = query.part ?? (query.conflict === undefined ? opened.current : "conflicts");
  const named = parts.find(({ name }) => name === part) ?? parts[0];
  const chosen = part !== undefined || isFirstKnown ? named : undefined;
  return (
    <div class="page-body inbox">
      <h1>Inbox</h1>
      <nav class="tabs" aria-label="Inbox sections">
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
      {chosen === undefined ? <Loading rows={4} /> : <chosen.Part key={chosen.name} />}
    </div>
  );
}

function useParts() {
  const { router, agent } = usePage();
  const connection = agent.connection.value;
  const { as_of: asOf } = router.location.value.query;
  const open = useQuery(
    "list_conflicts",
    { status: "open", limit: 1, ...(asOf && { until: asOf }) },
    { pause: 1_000 },
  );
  const colliding = useQuery(
    "items",
    { kinds: ["concept"], has: ["collision"], limit: 1, count: true, ...(asOf && { as_of: asOf }) },
    { pause: 5_000 },
  );
  const proposed = useQuery(
    "list_proposals",
    { status: "open", limit: 1, ...(asOf && { until: asOf }) },
    { pause: 1_000 },
  );
  const stats = useQuery("stats", {}, { pause: 10_000 });
  const { value: status } = agent.access.status;
  const all: readonly Part[] = [
    {
      ...{ name: "approvals", title: "Approvals", Part: Approvals },
      count: connection?.waiting.value,
      isKnown: status === "open" ? connection?.threads.value !== undefined : status !== "asking",
      isShown: connection !== undefined,
    },
    {
      ...{ name: "conflicts", title: "Conflicts", Part: Conflicts },
      ...{ count: open.output?.total, isKnown: isSettled(open) },
    },
    {
      ...{ name: "collisions", title: "Possible conflicts", Part: Collisions },
      ...{ count: colliding.output?.total, isKnown: isSettled(colliding) },
    },
    {
      ...{ name: "proposals", title: "Proposals", Part: Proposals },
      ...{ count: proposed.output?.total, isKnown: isSettled(proposed) },
    },
    {
      ...{ name: "pending", title: "Unreviewed", Part: Pending },
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
