import { z } from "zod";
import {
  type CallOptions,
  DEFAULT_SHOWN,
  type Memory,
  type Operation,
  quoteJsonForModel,
} from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import { escapeHidden } from "../../shared/json.ts";
import type { AgentSettings } from "../settings.ts";
import { claimsIn } from "./claims.ts";
import type { Tool, ToolResult } from "./define-tool.ts";

export interface MemoryToolOptions {
  readonly memory: Memory | undefined;
  readonly mode: AgentSettings["memory"];
  readonly threadId: string;
}

/** Returns the operations for the agent as tools; only those that read in mode "read". */
export function memoryTools({ memory, mode, threadId }: MemoryToolOptions): readonly Tool[] {
  if (memory === undefined || mode === "off") return [];
  const isOffered = (operation: Operation) =>
    operation.agentTool !== undefined && (mode === "on" || operation.kind === "read");
  const names = new Map(
    [...memory.operations.values()]
      .filter(isOffered)
      .map(({ name, agentTool = name }) => [name, agentTool]),
  );
  const operations = [...memory.operations.values()].sort((a, b) => a.kind.localeCompare(b.kind));
  return operations.flatMap((operation): Tool[] => {
    const { agentTool } = operation;
    const readOnly = operation.kind === "read";
    if (agentTool === undefined || !isOffered(operation)) return [];
    return [
      {
        name: agentTool,
        description: describe(operation, names),
        readOnly,
        touches: "nothing",
        input: shownInput(operation),
        checksInput: true,
        uses: (input) => (readOnly ? [] : [{ kind: "memory" as const, claims: claimsIn(input) }]),
        async run({ signal, asProposal }, input) {
          const options = {
            signal,
            caller: OWNER,
            session: threadId,
            surface: "agent",
            maxItems: DEFAULT_SHOWN,
          } satisfies CallOptions;
          if (asProposal !== undefined)
            return askUser(memory, { input, reason: asProposal, options });
          const output = await memory.executeNamed(operation.name, input, options);
          return toResult(operation, output, input);
        },
      },
    ];
  });
}

/** Omits the fields that programs set; the operation validates its whole input. */
function shownInput({ input, mcp }: Operation): Operation["input"] {
  const { hiddenFields = [], fieldsOfPrograms = [], fieldsOfB = [] } = mcp ?? {};
  const left = new Set([...hiddenFields, ...fieldsOfPrograms, ...fieldsOfB, "idempotency_key"]);
  return z.strictObject(
    Object.fromEntries(Object.entries(input.shape).filter(([name]) => !left.has(name))),
  );
}

/** Omits sentences that refer to an operation that is not offered. */
function describe(
  { name, summary, description = "" }: Operation,
  names: ReadonlyMap<string, string>,
): string {
  const sentences = `${summary.replace(/\.?$/, ".")} ${description}`.trim().split(/(?<=\.)\s+/);
  const known = sentences
    .filter((sentence) => !sentence.includes("`apply`") || names.has("apply"))
    .map((sentence) => sentence.replaceAll("`apply`", `\`${names.get("apply")}\``));
  return [...known, ...(name === "apply" ? [CHANGESET_EXAMPLES] : [])].join(" ");
}

const CHANGESET_EXAMPLES = `Examples:
remember t=decision e=file:src/a.ts "We keep one queue." as=new
supersede old=fact:3 new=fact:9 "why"
conflict fact_a=fact:3 fact_b=fact:9 "what differs"
resolve id=conflict:1 winner=fact:9 "how it was checked"
dismiss id=conflict:2 "both hold"
concept title="Queue" from=ep:4,ep:7 summary="One queue for all jobs."
update id=ep:4 content="…"
delete id=ep:4`;

async function askUser(
  memory: Memory,
  { input, reason, options }: { input: object; reason: string; options: CallOptions },
): Promise<ToolResult> {
  const shape = memory.operations.get("propose")?.input.shape ?? {};
  const claim = Object.fromEntries(Object.entries(input).filter(([name]) => name in shape));
  const created = await memory.execute(
    "propose",
    { ...(claim as { content: string }), reason },
    options,
  );
  const text =
    created.outcome === "rejected_before"
      ? `Not remembered: the user has rejected this before (${created.id}).`
      : `Not remembered yet: ${reason}, and no user is available to ask. It was stored as the proposal ${created.id}, which the user accepts with \`cairn accept ${created.id}\`. Tell them.`;
  return { text, summary: `Proposed ${created.id}` };
}

function toResult(
  operation: Operation,
  output: unknown,
  input: Readonly<Record<string, unknown>>,
): ToolResult {
  const presented = operation.present?.(output, input);
  return {
    text: presented?.text ?? quoteJsonForModel(escapeHidden(output, 1)),
    ...(presented !== undefined && { summary: presented.summary }),
  };
}
