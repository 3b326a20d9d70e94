import { z } from "zod";
import { tidyUp } from "../../tidying/tidy-up.ts";
import { defineOperation } from "../define-operation.ts";

const named = z.object({ id: z.string(), text: z.string() });

const tidied = z.object({
  merged: z.array(z.object({ kept: named, merged: z.array(named) })),
  grown: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      added: z.number().int().describe("Statements that are new in it."),
    }),
  ),
  offered: z
    .array(
      z.object({
        kind: z.enum(["episode", "concept", "entity"]),
        items: z.array(named).describe("May be the same; a person decides."),
      }),
    )
    .describe("At most 50."),
});

export const tidy = defineOperation({
  name: "tidy",
  summary:
    "Merge what says the same, gather what was decided about one thing, name what may be the same",
  description:
    "Of decisions, preferences and facts that are equal but for words that carry nothing, the last holds and the " +
    "others become its history; concepts that are equal become one. Decisions and preferences about one thing " +
    "grow into a concept that says what holds. One change; what somebody takes back is not done again.",
  kind: "write",
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe("Show what it would do, do nothing."),
  }),
  output: tidied,
  mcp: { interfaces: false, idempotent: true },
  rest: { method: "POST", path: "/tidy" },
  cli: { example: "cairn tidy --dry-run\ncairn tidy" },
  confirm: (_input, output) => textOf(output),
  async run(context, { dry_run: isDry }) {
    const { merged, grown, offered } = await tidyUp(context);
    if (isDry) context.rollBackAfterwards();
    return {
      merged: merged.map((one) => ({ kept: one.kept, merged: [...one.merged] })),
      grown: [...grown],
      offered: offered.map(({ kind, items }) => ({ kind, items: [...items] })),
    };
  },
});

function textOf({ merged, grown, offered }: z.output<typeof tidied>): string {
  const lines = [
    ...merged.map(({ kept, merged: former }) => {
      const ids = former.map(({ id }) => id).join(", ");
      return `= ${kept.id} ${kept.text} (says what ${ids} said)`;
    }),
    ...grown.map(({ id, title, added }) => `+ ${id} ${title} (${added} new in it)`),
    ...offered.map(({ kind, items }) => {
      const said = items.map(({ id, text }) => (kind === "entity" ? id : `${id} ${text}`));
      return `? ${said.join(" ~ ")} (\`${cureOf(kind, items)}\`)`;
    }),
  ];
  return lines.length === 0 ? "Nothing says the same twice." : lines.join("\n");
}

type Offered = z.output<typeof tidied>["offered"][number];

/** How a person says that they are one: what was said last, or is best founded, stands first. */
function cureOf(kind: Offered["kind"], items: Offered["items"]): string {
  const [first = "", ...others] = items.map(({ id }) => id);
  if (kind === "episode") return `cairn supersede ${others[0]} ${first}`;
  if (kind === "concept") return `cairn concept merge ${first} --from ${others.join(",")}`;
  return `cairn entity relate ${quoted(first)} ${quoted(others[0] ?? "")} same_as`;
}

const quoted = (name: string) => (/\s/.test(name) ? JSON.stringify(name) : name);
