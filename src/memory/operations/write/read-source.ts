import { z } from "zod";
import {
  contentField,
  listField,
  nameField,
  noteField,
  referenceField,
  startTimeField,
} from "../../input/fields.ts";
import { sourceId } from "../../input/item-ids.ts";
import { LIMITS } from "../../input/limits.ts";
import { appendPassages } from "../../sources/read-on.ts";
import { PASSAGE_ROLES } from "../../sources/source.table.ts";
import { defineOperation } from "../define-operation.ts";

const newPassage = z.strictObject({
  key: referenceField.describe(
    "What it is called in its source: one that is there is passed over.",
  ),
  role: z.enum(PASSAGE_ROLES).default("turn"),
  by: nameField.describe("`user`, `assistant`, or the name of an author."),
  text: contentField,
  files: listField.optional().describe("Paths that it is about, relative to the project."),
  branch: nameField.optional(),
  reverts: referenceField.optional().describe("Key of an earlier passage that it takes back."),
  occurred_at: startTimeField,
});

export const readSource = defineOperation({
  name: "read_source",
  summary: "Add what a session, a history or a file has that is new, as passages of its source",
  description:
    "A source is named by its kind and key, so that it is the same whatever path it is read by. " +
    "Passages are in the order in which they were said; one whose key is there is passed over. A " +
    "source that was forgotten stays so.",
  kind: "write",
  input: z.strictObject({
    kind: nameField.describe("Who wrote it: claude-code, git, file."),
    key: referenceField.describe("What it is called where it comes from."),
    title: nameField.optional(),
    place: referenceField.optional().describe("The folder, branch or address that it is about."),
    mark: noteField.optional().describe("How far it is read after this, for whoever reads on."),
    passages: z.array(newPassage).max(LIMITS.passagesOfReading),
    gone: z
      .array(referenceField)
      .max(LIMITS.passagesOfReading)
      .optional()
      .describe("Keys that it has no longer. With it, even empty, what is there again is back."),
    complete: z
      .boolean()
      .optional()
      .describe(
        "These passages are all that it has: what is not among them is gone, and what is again, back.",
      ),
  }),
  output: z.object({
    id: z.string().nullable().describe("null where nothing of it is kept yet."),
    created: z.boolean(),
    added: z.number().int(),
    gone: z.number().int().describe("Passages that it has no longer."),
    forgotten: z.boolean(),
  }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: false },
  confirm: (_input, { id, added }) => `${id ?? "Nothing kept"}: ${added} new passage(s).`,
  async run(context, { passages, ...source }) {
    const given = passages.map((passage) => ({ ...passage, files: passage.files ?? [] }));
    const read = await appendPassages(context, { ...source, passages: given });
    return {
      id: read.source === undefined ? null : sourceId(read.source.id),
      created: read.isNew,
      added: read.added,
      gone: read.gone,
      forgotten: read.source !== undefined && read.source.deletedAt !== null,
    };
  },
});
