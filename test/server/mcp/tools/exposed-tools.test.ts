import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../../../src/memory/index.ts";
import { createExposedTools, type ToolChoice } from "../../../../src/server/mcp/index.ts";
import { createInstructions } from "../../../../src/server/mcp/instructions.ts";

/** Parameters of each tool that are exposed to models. */
const PARAMETERS: Readonly<Record<string, string>> = {
  remember: "content metadata episode_type entities labels source_type asserted_by source_ref",
  recall: "query k context entity episode_k labels as_of max_chars min_score timeout_ms",
  apply: "changeset dry_run",
  snapshot: "scopes",
  events: "since_seq limit kind",
  list_conflicts: "status kind",
  resolve_conflict: "conflict_id winning_fact_id note resolved_by",
  dismiss_conflict: "conflict_id note resolved_by",
  inspect: "concept_id show_episodes limit start_date end_date",
  stats: "",
  episode_types: "",
  entities: "entity_type limit",
  inspect_entity: "entity_id show_relations",
  update_episode:
    "episode_id content episode_type entities plan_id spec_ids depends_on priority labels",
  update_concept: "concept_id title summary confidence tags relations labels",
  delete_episode: "episode_id",
  restore_episode: "episode_id",
  delete_concept: "concept_id",
  restore_concept: "concept_id",
  list_deleted: "item_type limit",
  items: "kinds since until by type entity labels pending has text sort limit cursor count facets",
  timeline: "kinds since until by type entity bucket group",
  pending_batches: "limit size",
  history: "id limit before_seq",
  changes: "author start_date end_date before diff limit",
  undo: "change since until together dry_run",
};

const listOf = (choice: Pick<ToolChoice, "interface" | "tools">) =>
  [...createExposedTools(createOperations(), { ...choice, structured: false }).values()].map(
    ({ description: { name, description, inputSchema } }) => ({ name, description, inputSchema }),
  );

describe("the tools that a model sees", () => {
  it("include every supported parameter", () => {
    const shown = listOf({ interface: "a", tools: "all" }).map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema.properties ?? {}),
    ]);
    for (const [name, parameters] of Object.entries(PARAMETERS)) {
      const names = parameters.split(" ").filter((parameter) => parameter !== "");
      expect(Object.fromEntries(shown)[name], name).toEqual(expect.arrayContaining(names));
    }
    expect(shown.map(([name]) => name).sort()).toEqual(Object.keys(PARAMETERS).sort());
  });

  it.each([
    [3_000, { interface: "a", tools: "all" }],
    [3_200, { interface: "b", tools: "all" }],
  ] as const)("cost at most %i tokens of its context: %j", (most, choice) => {
    expect(countTokens(JSON.stringify(listOf(choice)))).toBeLessThanOrEqual(most);
  });

  it("cost at most 1700 tokens with the instructions in the set that `connect` writes", () => {
    const choice = { interface: "a", tools: "core" } as const;
    const tokens =
      countTokens(JSON.stringify(listOf(choice))) + countTokens(createInstructions(choice));
    expect(tokens).toBeLessThanOrEqual(1_700);
  });
});
