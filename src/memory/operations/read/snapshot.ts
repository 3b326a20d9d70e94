import { z } from "zod";
import { invalidInput } from "../../../kernel/errors.ts";
import { prepareSnapshot, takeSnapshot } from "../../snapshot/snapshot.ts";
import { defineOperation } from "../define-operation.ts";

const MAX_SCOPES = 100;

export const snapshot = defineOperation({
  name: "snapshot",
  summary: "Read several parts of memory at one moment",
  description:
    "Scopes: pending, conflicts, entity:<type>:<name>, labels, label:<key>=<value>, concept:<id>, " +
    "recent:<n>, stats, query:<text>, events[:<since_seq>], bootstrap[:<n>], topic:<id>.",
  kind: "read",
  input: z.strictObject({
    scopes: z
      .union([z.string(), z.array(z.string())], "must be text or an array of strings")
      .describe("Separated by commas or spaces, or an array."),
  }),
  output: z.record(z.string(), z.record(z.string(), z.unknown())),
  mcp: { core: true },
  rest: { method: "POST", path: "/snapshot" },
  cli: { positionals: ["scopes..."], example: "cairn snapshot bootstrap recent:5" },
  agentTool: "memory_snapshot",
  present: (sections) => ({ summary: Object.keys(sections).join(", ") }),
  async prepare(context, { scopes }) {
    if (scopes.length === 0 || (typeof scopes === "string" && scopes.trim() === "")) {
      throw invalidInput("scopes: must name at least one scope, e.g. bootstrap");
    }
    if (Array.isArray(scopes) && scopes.length > MAX_SCOPES) {
      throw invalidInput(`scopes: must name at most ${MAX_SCOPES} scopes`);
    }
    return prepareSnapshot(context, scopes);
  },
  run: (context, { scopes }) => takeSnapshot(context, scopes, context.prepared),
});
