import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { nameField } from "../../input/fields.ts";
import { changeId, kindOfId } from "../../input/item-ids.ts";
import { erasePerson } from "../../purge/person/erase-person.ts";
import { defineOperation } from "../define-operation.ts";

const count = z.number().int();

export const erase = defineOperation({
  name: "erase",
  summary: "Forget a person in this database for good; this cannot be undone",
  description:
    "`person`: all that was asserted under this name, deleted or not, sources and passages of their " +
    "sessions, proposals, recalls that they asked, and the name at changes and decisions. `entity`: " +
    "all items that name it, its relations and it itself. What is under a legal hold stays, and is named.",
  kind: "write",
  input: z.strictObject({
    person: nameField.optional().describe("Name under which they wrote."),
    entity: nameField.optional().describe("The person as items name them, e.g. person:Ada."),
    dry_run: z.boolean().default(false).describe("Count and name what would go, do nothing."),
  }),
  output: z.object({
    id: z.string().optional().describe("The change; absent of a dry run."),
    erased: z.object({
      episodes: count,
      facts: count,
      concepts: count,
      sources: count,
      passages: count,
      proposals: count,
      recalls: count.describe("Questions that the person asked."),
      changes: count.describe("Changes that said who wrote them."),
    }),
    purged: z.array(z.string()),
    held: z
      .array(z.object({ id: z.string(), hold: z.string() }))
      .describe("Under a legal hold: they stay."),
    remains: z.array(z.string()).describe("What stays because of a hold; a sentence each."),
    kept_elsewhere: z
      .array(z.string())
      .describe(
        "Deleted databases, copies, backups and exports that may have it; a sentence each.",
      ),
  }),
  erases: true,
  onlyTakesAway: true,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/erase" },
  cli: { command: false },
  async run(context, { person, entity, dry_run: isDry }) {
    if (person?.trim() === "") throw invalidInput("person: must not be blank");
    if (person === undefined && entity === undefined) {
      throw invalidInput(
        "person: give the name under which they wrote, or entity, e.g. person:Ada",
      );
    }
    const { purged, held, recalls, changes, remains } = await erasePerson(context, {
      person,
      entity,
    });
    if (isDry) context.rollBackAfterwards();
    return {
      ...(!isDry && { id: changeId(await context.change) }),
      erased: { ...countKinds(purged), recalls, changes },
      purged: [...purged],
      held: [...held],
      remains: [...remains],
      kept_elsewhere: await context.keptElsewhere(),
    };
  },
});

function countKinds(ids: readonly string[]) {
  const of = (kind: ReturnType<typeof kindOfId>) =>
    ids.filter((id) => kindOfId(id) === kind).length;
  return {
    episodes: of("episode"),
    facts: of("fact"),
    concepts: of("concept"),
    sources: of("source"),
    passages: of("passage"),
    proposals: of("proposal"),
  };
}
