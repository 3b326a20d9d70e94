import type { Input } from "./surface.ts";

/** One call; `earlier` holds the outputs of the steps that have a name. */
export interface Step {
  readonly operation: string;
  readonly input: Input | ((earlier: Readonly<Record<string, Entry>>) => Input);
  /** Keeps the output under this name. */
  readonly as?: string;
  /** The code of the error that must come, on every surface; without it the call must succeed. */
  readonly error?: string;
  /** Part of the output that must come. */
  readonly output?: object;
}

export type Entry = { readonly id: string };

const session = "work";

/** What the memory must answer, whichever way it is asked. Built on each surface from nothing. */
export const scenario: readonly Step[] = [
  {
    operation: "remember",
    input: {
      content: "The team moved the build to Node 20 because 18 ran out of support.",
      episode_type: "decision",
      entities: "tool:node,project:shop",
      labels: "area=build",
      asserted_by: "Ada",
      session,
    },
    output: { id: "ep:1", episode_type: "decision" },
  },
  {
    operation: "remember",
    input: {
      content: "Cache TTL is 600 seconds",
      episode_type: "fact",
      entities: "tool:cache",
      session,
    },
    output: { id: "ep:2", fact_id: "fact:1", cluster_created: true, collisions: [] },
  },
  {
    operation: "remember",
    input: {
      content: "Cache TTL is 900 seconds",
      episode_type: "fact",
      entities: "tool:cache",
      session,
    },
    output: { id: "ep:3", fact_id: "fact:2", cluster_created: false },
  },
  {
    operation: "remember",
    input: {
      content: '"$100" und Umlaute: äöü, 日本語, 😀\nsecond line',
      session,
      metadata: '{"a": [1]}',
    },
    output: { id: "ep:4", episode_type: "observation" },
  },
  { operation: "remember", input: { content: "   " }, error: "invalid_input" },
  {
    operation: "remember",
    input: { content: "x", episode_type: "nonsense" },
    error: "invalid_input",
  },
  {
    operation: "remember",
    input: { content: "x", entities: "planet:mars" },
    error: "invalid_input",
  },
  { operation: "remember", input: { content: "x", metadata: "[1]" }, error: "invalid_input" },
  {
    operation: "remember",
    input: { content: "x", occurred_at: "2026-02-30" },
    error: "invalid_input",
  },
  { operation: "remember", input: { content: "x", contnet: "y" }, error: "invalid_input" },
  {
    operation: "remember",
    input: { content: "Only once", idempotency_key: "once", session },
    output: { id: "ep:5" },
  },
  {
    operation: "remember",
    input: { content: "Only once", idempotency_key: "once", session },
    output: { id: "ep:5" },
  },
  {
    operation: "remember",
    input: { content: "Something else", idempotency_key: "once", session },
    error: "conflict",
  },
  { operation: "stats", input: {}, output: { facts: { active: 2, superseded: 0 } } },
  { operation: "episode_types", input: {} },
  {
    operation: "open_conflict",
    input: { fact_a: "fact:1", fact_b: "fact:2", severity: "high", description: "TTL=600 or 900" },
    output: { id: "conflict:1", status: "open", severity: "high" },
  },
  { operation: "open_conflict", input: { fact_a: "fact:1", fact_b: "fact:2" }, error: "conflict" },
  {
    operation: "open_conflict",
    input: { fact_a: "fact:1", fact_b: "fact:1" },
    error: "invalid_input",
  },
  {
    operation: "open_conflict",
    input: { fact_a: "fact:1", fact_b: "fact:99" },
    error: "not_found",
  },
  { operation: "list_conflicts", input: {}, output: { total: 1 } },
  { operation: "list_conflicts", input: { status: "all", kind: "fact", limit: 1, page: 1 } },
  { operation: "list_conflicts", input: { status: "nope" }, error: "invalid_input" },
  { operation: "list_conflicts", input: { limit: 501 }, error: "invalid_input" },
  { operation: "recall", input: { query: "how long is the cache valid" } },
  { operation: "recall", input: { entity: "tool:cache", k: 1, episode_k: 0 } },
  { operation: "recall", input: { query: "cache", max_chars: 1 }, output: { formatted: "…" } },
  {
    operation: "recall",
    input: { query: "zebra submarine" },
    output: { concepts: [], episodes: [] },
  },
  { operation: "recall", input: {}, error: "invalid_input" },
  { operation: "recall", input: { query: "cache", k: -1 }, error: "invalid_input" },
  { operation: "recall", input: { query: "cache", as_of: "yesterday" }, error: "invalid_input" },
  {
    operation: "resolve_conflict",
    input: { conflict_id: "conflict:1" },
    error: "invalid_input",
  },
  {
    operation: "resolve_conflict",
    input: {
      conflict_id: "conflict:1",
      winning_fact_id: "fact:2",
      note: "measured",
      resolved_by: "Ada",
    },
    output: { status: "resolved", winner: "fact:2" },
  },
  {
    operation: "resolve_conflict",
    input: { conflict_id: "conflict:1", winning_fact_id: "fact:2" },
    error: "conflict",
  },
  { operation: "dismiss_conflict", input: { conflict_id: "conflict:7" }, error: "not_found" },
  { operation: "supersede", input: { old: "fact:1", new: "fact:2" }, error: "conflict" },
  {
    operation: "create_concept",
    as: "builds",
    input: {
      title: "Builds follow the support window of Node",
      from: "ep:1",
      summary: "Move on when support ends.",
      confidence: 0.75,
      tags: "build,node",
      labels: "area=build",
    },
    output: { instance_count: 1, confidence: 0.75 },
  },
  {
    operation: "create_concept",
    as: "support",
    input: { title: "Support windows drive upgrades", from: "ep:1,ep:4", type: "hypothesis" },
    output: { instance_count: 2, confidence: 0.5 },
  },
  { operation: "create_concept", input: { title: "No source", from: "ep:99" }, error: "not_found" },
  {
    operation: "create_concept",
    input: { title: "Bad", from: "ep:1", confidence: 2 },
    error: "invalid_input",
  },
  {
    operation: "link",
    input: ({ builds, support }) => ({ from: builds?.id, to: support?.id, type: "implies" }),
  },
  {
    operation: "link",
    input: ({ builds }) => ({ from: builds?.id, to: builds?.id, type: "implies" }),
    error: "invalid_input",
  },
  {
    operation: "evidence",
    input: ({ builds }) => ({
      concept: builds?.id,
      episode: "ep:4",
      type: "supports",
      strength: 0.25,
    }),
    output: { type: "supporting", strength: 0.25 },
  },
  {
    operation: "unlink",
    input: ({ builds }) => ({ concept: builds?.id, episode: "ep:5" }),
    error: "not_found",
  },
  { operation: "unlink", input: ({ builds }) => ({ concept: builds?.id, episode: "ep:4" }) },
  { operation: "get_concept", input: ({ builds }) => ({ concept_id: builds?.id }) },
  { operation: "get_concept", input: { concept_id: "ep:1" }, error: "invalid_input" },
  { operation: "get_concept", input: { concept_id: "unknown" }, error: "not_found" },
  {
    operation: "update_concept",
    input: ({ builds }) => ({ concept_id: builds?.id, confidence: 0.9, labels: "" }),
    output: { confidence: 0.9, labels: [] },
  },
  {
    operation: "update_concept",
    input: ({ builds }) => ({ concept_id: builds?.id }),
    error: "invalid_input",
  },
  { operation: "reshape", input: ({ support }) => ({ id: support?.id, type: "pattern" }) },
  {
    operation: "split",
    input: ({ builds }) => ({ id: builds?.id, into: "Reads, Writes", reason: "two things" }),
  },
  {
    operation: "merge",
    as: "merged",
    input: ({ builds, support }) => ({ from: `${builds?.id},${support?.id}`, into: "Upgrades" }),
  },
  { operation: "list_concepts", input: { limit: 2, page: 2 } },
  { operation: "list_concepts", input: { labels: "area=build" } },
  { operation: "list_deleted_concepts", input: {}, output: { total: 2 } },
  { operation: "restore_concept", input: ({ builds }) => ({ concept_id: builds?.id }) },
  {
    operation: "restore_concept",
    input: ({ builds }) => ({ concept_id: builds?.id }),
    error: "conflict",
  },
  { operation: "delete_concept", input: ({ builds }) => ({ concept_id: builds?.id }) },
  { operation: "graph", input: {} },
  { operation: "get_episode", input: { episode_id: "ep:2" } },
  { operation: "get_episode", input: { episode_id: "ep:0" }, error: "invalid_input" },
  { operation: "get_episode", input: { episode_id: "conflict:1" }, error: "invalid_input" },
  {
    operation: "update_episode",
    input: {
      episode_id: "ep:4",
      priority: "p1",
      labels: "area=ui,owner=Grace Hopper",
      plan_id: "ep:1",
    },
    output: { priority: "p1", plan_id: "ep:1" },
  },
  {
    operation: "update_episode",
    input: { episode_id: "ep:4", priority: "p9" },
    error: "invalid_input",
  },
  {
    operation: "update_episode",
    input: { episode_id: "ep:4", plan_id: "ep:77" },
    error: "not_found",
  },
  { operation: "label", input: { id: "ep:1", key: "status", value: "done" } },
  { operation: "unlabel", input: { id: "ep:1", key: "status" } },
  { operation: "unlabel", input: { id: "ep:1", key: "status" }, error: "not_found" },
  { operation: "list_labels", input: { subject_type: "episode" } },
  { operation: "processed", input: { ids: ["ep:1", "ep:2"] } },
  { operation: "processed", input: { ids: ["ep:1", "ep:88"] }, error: "not_found" },
  { operation: "delete_episode", input: { episode_id: "ep:5" } },
  { operation: "delete_episode", input: { episode_id: "ep:5" }, error: "conflict" },
  { operation: "list_deleted", input: { item_type: "episodes", limit: 5 } },
  { operation: "list_deleted_episodes", input: {}, output: { total: 1 } },
  { operation: "restore_episode", input: { episode_id: "ep:5" } },
  { operation: "list_episodes", input: { limit: 2, page: 1 }, output: { total: 5, limit: 2 } },
  { operation: "list_episodes", input: { type: "fact" }, output: { total: 2 } },
  {
    operation: "list_episodes",
    input: { labels: "area=ui,owner=Grace Hopper" },
    output: { total: 1 },
  },
  { operation: "list_episodes", input: { page: 0 }, error: "invalid_input" },
  {
    operation: "entity_relation",
    input: { source: "file:src/a b/c.ts", target: "tool:cache", relation: "uses", strength: 0.5 },
  },
  { operation: "entities", input: { entity_type: "tool", limit: 5 } },
  { operation: "entities", input: { entity_type: "planet" }, error: "invalid_input" },
  { operation: "list_entities", input: {} },
  { operation: "get_entity", input: { entity_id: "file:src/a b/c.ts" } },
  { operation: "get_entity", input: { entity_id: "file:src/none.ts" }, error: "not_found" },
  { operation: "inspect_entity", input: { entity_id: "TOOL:Cache", show_relations: false } },
  {
    operation: "entity_episodes",
    input: { entity_id: "tool:cache", limit: 1 },
    output: { total: 2 },
  },
  { operation: "entity_concepts", input: { entity_id: "project:shop" } },
  { operation: "entity_graph", input: {} },
  { operation: "inspect", input: { show_episodes: true, start_date: "2020-01-01", limit: 3 } },
  { operation: "inspect", input: { start_date: "2020-01-01" }, error: "invalid_input" },
  {
    operation: "create_topic",
    input: { name: "Deploys", description: "How we ship" },
    output: { id: "deploys" },
  },
  { operation: "create_topic", input: { name: "Deploys" }, error: "conflict" },
  {
    operation: "remember",
    input: { content: "Ship on green", topic: "Deploys", session },
    output: { id: "ep:6" },
  },
  { operation: "set_topic", input: { id: "ep:1", topic: "deploys" } },
  { operation: "update_topic", input: { topic_id: "deploys", description: "How we ship it" } },
  {
    operation: "topic_overview",
    input: { topic_id: "deploys", k: 1 },
    output: { episode_count: 2 },
  },
  { operation: "delete_topic", input: { topic_id: "deploys" }, error: "conflict" },
  { operation: "list_topics", input: {} },
  {
    operation: "apply",
    input: {
      changeset:
        'remember as=new t=fact e=tool:cache by=Ada session=work "Cache TTL is 1200 seconds"\n' +
        "supersede old=fact:2 new=$new\nlabel id=ep:4 key=k value=v",
    },
    output: { success: true, dry_run: false },
  },
  {
    operation: "recall",
    input: { query: "cache", as_of: "2026-01-01", known_at: "2026-01-02" },
  },
  { operation: "items", input: { kinds: "fact", as_of: "2026-01-01", known_at: "2026-01-02" } },
  { operation: "close_replaced", input: {}, output: { ids: [] } },
  {
    operation: "apply",
    input: { changeset: "delete id=ep:1\ndelete id=ep:999" },
    error: "changeset_failed",
  },
  {
    operation: "apply",
    input: { changeset: 'remember "\\', dry_run: true },
    error: "changeset_failed",
  },
  {
    operation: "apply",
    input: { changeset: '[{"op":"remember","content":"dry","session":"work"}]', dry_run: true },
    output: { success: true, dry_run: true },
  },
  { operation: "apply", input: { changeset: "" }, output: { success: true, results: [] } },
  {
    operation: "apply",
    input: { changeset: 'remember session=work "keyed"', idempotency_key: "batch" },
    output: { success: true },
  },
  {
    operation: "apply",
    input: { changeset: 'remember session=work "keyed"', idempotency_key: "batch" },
    output: { success: true },
  },
  { operation: "snapshot", input: { scopes: ["bootstrap", "pending", "labels", "stats"] } },
  {
    operation: "snapshot",
    input: { scopes: ["entity:tool:cache", "recent:2", "nonsense", "label:k=v"] },
  },
  { operation: "snapshot", input: { scopes: [] }, error: "invalid_input" },
  { operation: "snapshot", input: { scopes: " " }, error: "invalid_input" },
  {
    operation: "remember",
    input: {
      content: "deep",
      metadata: `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`,
    },
    error: "invalid_input",
  },
  {
    operation: "events",
    input: { since_seq: 3, limit: 4 },
    output: { count: 4, next_since_seq: 7 },
  },
  { operation: "events", input: { kind: "superseded" } },
  { operation: "events", input: { kind: "nope" }, error: "invalid_input" },
  {
    operation: "update",
    input: { id: "ep:4", content: "New words" },
    output: { processed: false },
  },
  {
    operation: "remember",
    input: {
      content: "A note of another tool",
      session,
      source_type: "import:other-tool",
      metadata: { import_id: "n1", import_hash: "abc" },
    },
  },
  {
    operation: "list_imported",
    input: { source: "other-tool" },
    output: { items: [{ import_id: "n1", import_hash: "abc", deleted: false, superseded: false }] },
  },
  {
    operation: "list_imported",
    input: { source: "other-tool", after: "x" },
    error: "invalid_input",
  },
  { operation: "delete", input: { id: "fact:1" }, error: "invalid_input" },
  { operation: "restore", input: { id: "ep:1" }, error: "conflict" },
  { operation: "history", input: { id: "ep:1", limit: 1 }, output: { id: "ep:1", count: 1 } },
  { operation: "history", input: { id: "ep:999" }, error: "not_found" },
  // Who wrote through which surface differs by surface; what is not there does not.
  { operation: "changes", input: { author: "Nobody" }, output: { count: 0, changes: [] } },
  { operation: "changes", input: { kind: "nope" }, error: "invalid_input" },
  // Of one kind and whole: how kinds mix within a millisecond, and cursors, differ by run.
  {
    operation: "items",
    input: { kinds: "episode", by: "Ada", count: true, facets: "type,label,entity" },
    output: { total: 2, next_cursor: null },
  },
  { operation: "items", input: { kinds: "fact", entity: "tool:cache", sort: "oldest" } },
  { operation: "items", input: { kinds: "episode", text: "cache ttl", pending: true } },
  { operation: "items", input: { kinds: "episode", labels: "area=ui", since: "1d" } },
  { operation: "items", input: { since: "soonish" }, error: "invalid_input" },
  { operation: "items", input: { cursor: "nonsense" }, error: "invalid_input" },
  { operation: "items", input: { topic: "nowhere" }, error: "not_found" },
  { operation: "timeline", input: { kinds: "episode", until: "2020" }, output: { total: 0 } },
  { operation: "timeline", input: { bucket: "hour" }, error: "invalid_input" },
  { operation: "suggest", input: { prefix: "tool:" } },
  { operation: "suggest", input: { prefix: "ep:", kinds: "episode", limit: 2 } },
  { operation: "suggest", input: { kinds: "colour" }, error: "invalid_input" },
  { operation: "graph_neighbourhood", input: { center: "tool:cache", depth: 2 } },
  { operation: "graph_neighbourhood", input: { center: "tool:none" }, error: "not_found" },
  { operation: "get_fact", input: { fact_id: "fact:3" }, output: { status: "active" } },
  { operation: "get_fact", input: { fact_id: "fact:99" }, error: "not_found" },
  { operation: "entity_facts", input: { entity_id: "tool:cache", limit: 2 }, output: { total: 3 } },
  { operation: "cluster_timeline", input: { cluster_id: "cnone" }, error: "not_found" },
  { operation: "pending_batches", input: { limit: 2 } },
  { operation: "pending_batches", input: { limit: 0 }, error: "invalid_input" },
  {
    operation: "why_not",
    input: { id: "ep:4", query: "how long is the cache valid" },
    output: { id: "ep:4", returned: false, rank: null },
  },
  { operation: "why_not", input: { id: "ep:999", query: "cache" }, error: "not_found" },
  { operation: "remember", input: { content: "Taken back and brought again", session } },
  // By number: "my last" is another change for each surface.
  { operation: "undo", input: { change: "change:34" }, output: { undo_of: ["change:34"] } },
  { operation: "redo", input: { change: "change:35" } },
  { operation: "undo", input: { change: "change:99999" }, error: "not_found" },
  { operation: "redo", input: { change: "change:1" }, error: "conflict" },
  {
    operation: "change_matching",
    input: { action: "processed", by: "nobody", expected: 0 },
    output: { count: 0 },
  },
  { operation: "change_matching", input: { action: "label", value: "x" }, error: "invalid_input" },
  {
    operation: "read_source",
    input: {
      kind: "claude-code",
      key: "session-1",
      title: "Retries",
      mark: "120:2",
      passages: [
        {
          key: "a",
          by: "user",
          text: "How often may the retrier in src/retry.ts try again?",
          files: "src/retry.ts",
          occurred_at: "2026-03-01T09:00:00Z",
        },
        {
          key: "b",
          by: "assistant",
          text: "Settled: the retrier tries exactly seven times, since the eighth attempt trips the rate limit of the upstream.",
          occurred_at: "2026-03-01T09:01:00Z",
        },
      ],
    },
    output: { id: "source:1", created: true, added: 2, forgotten: false },
  },
  {
    operation: "read_source",
    input: {
      kind: "claude-code",
      key: "session-1",
      passages: [{ key: "c", by: "user", text: " ", occurred_at: "2026-03-01" }],
    },
    error: "invalid_input",
  },
  {
    operation: "read_source",
    input: {
      kind: "claude-code",
      key: "session-1",
      passages: [{ key: "b", by: "assistant", text: "Said before.", occurred_at: "2026-03-01" }],
    },
    output: { id: "source:1", created: false, added: 0 },
  },
  { operation: "list_sources", input: { kind: "claude-code" } },
  { operation: "list_sources", input: { kind: "nobody" }, output: { sources: [], total: 0 } },
  { operation: "get_source", input: { source_id: "source:1" }, output: { total: 2 } },
  { operation: "get_source", input: { source_id: "source:9" }, error: "not_found" },
  { operation: "get_passage", input: { passage_id: "passage:2" } },
  { operation: "get_passage", input: { passage_id: "ep:1" }, error: "invalid_input" },
  { operation: "file_passages", input: { file: "src/retry.ts", symbols: "maxAttempts" } },
  {
    operation: "recall",
    input: { query: "how often does the retrier try", k: 0, episode_k: 0, passage_k: 2 },
  },
  { operation: "delete", input: { id: "source:1" } },
  { operation: "delete", input: { id: "source:1" }, error: "conflict" },
  { operation: "restore", input: { id: "source:1" } },
  { operation: "restore", input: { id: "source:1" }, error: "conflict" },
  { operation: "purge", input: { ids: "ep:4" }, output: { purged: ["ep:4"] } },
  { operation: "purge", input: { ids: "ep:999" }, error: "not_found" },
];
