import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { filterFields, toPredicate } from "../../filters/filter-condition.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import { resolveFilter } from "../../filters/resolve-filter.ts";
import { listOfAtLeast } from "../../input/fields.ts";
import type { Scope } from "../../snapshot/define-scope.ts";
import { SNAPSHOT_SCOPES } from "../../snapshot/registry.ts";
import { throwIfFailed } from "../../snapshot/section-error.ts";
import { parseScopes, prepareSections, takeSnapshot } from "../../snapshot/snapshot.ts";
import { defineOperation, type McpResource } from "../define-operation.ts";

const MAX_SCOPES = 100;

export const getSnapshot = (known: readonly Scope[]) =>
  defineOperation({
    name: "snapshot",
    summary: "Read several parts of memory in one snapshot",
    description: `Scopes: ${known.map(formatScope).join(", ")}.`,
    kind: "read",
    input: z.strictObject({
      scopes: z
        .union([z.string(), z.array(z.string())], "must be text or an array of strings")
        .meta(listOfAtLeast(1))
        .describe(
          `${known.map(formatScope).join(", ")}; separated by commas or spaces, or an array.`,
        ),
      ...filterFields,
    }),
    output: z.record(z.string(), z.record(z.string(), z.unknown())),
    mcp: {
      core: true,
      purpose:
        "Read several parts of memory in one snapshot; `bootstrap conflicts recent:5` is a good start.",
      plainFields: ["scopes"],
      fieldsOfPrograms: FILTER_NAMES,
      searchHint: "memory overview bootstrap pending conflicts recent entity",
      resources: known.map(createResource),
    },
    rest: { method: "POST", path: "/snapshot" },
    cli: {
      shelf: "everyday",
      group: "Memory",
      positionals: ["scopes..."],
      example: "cairn snapshot bootstrap recent:5",
    },
    agentTool: "memory_snapshot",
    present: (sections) => ({ summary: Object.keys(sections).join(", ") }),
    async prepare(context, { scopes, ...filters }) {
      if (scopes.length === 0 || (typeof scopes === "string" && scopes.trim() === "")) {
        throw invalidInput("scopes: must name at least one scope, e.g. bootstrap");
      }
      if (Array.isArray(scopes) && scopes.length > MAX_SCOPES) {
        throw invalidInput(`scopes: must name at most ${MAX_SCOPES} scopes`);
      }
      return prepareSections(context, parseScopes(scopes, known), filters);
    },
    async run(context, { scopes: _, ...filters }) {
      const parts = await resolveFilter(context, filters);
      return takeSnapshot(context, context.prepared, {
        filterInput: filters,
        parts,
        predicate: toPredicate(parts),
      });
    },
  });

export const snapshot = getSnapshot(SNAPSHOT_SCOPES);

/** `pending`, `recent:<n>`, `events[:<since_seq>]` */
function formatScope({ name, argument }: Scope): string {
  if (argument === undefined) return name;
  return argument.optional ? `${name}[:${argument.form}]` : `${name}:${argument.form}`;
}

function createResource({ name, summary, argument }: Scope): McpResource {
  const getScope = (value: string | undefined) => (value === undefined ? name : `${name}:${value}`);
  return {
    name,
    summary,
    ...(argument !== undefined && {
      argument: {
        name: argument.name,
        optional: argument.optional ?? false,
        ...(argument.suggests !== undefined && { suggests: argument.suggests }),
      },
    }),
    input: (value) => ({ scopes: [getScope(value)] }),
    pick(output) {
      const [section = {}] = Object.values(output as Record<string, Record<string, unknown>>);
      throwIfFailed(section);
      return section;
    },
  };
}
