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
import { INPUT_LIMITS } from "../../input/limits.ts";
import { appendPassages } from "../../sources/append-passages.ts";
import { PASSAGE_ROLES } from "../../sources/source.table.ts";
import { defineOperation } from "../define-operation.ts";

const newPassage = z.strictObject({
  key: referenceField.describe("Key of the passage in its source; known keys are skipped."),
  role: z.enum(PASSAGE_ROLES).default("turn"),
  by: nameField.describe("`user`, `assistant`, or the name of an author."),
  text: contentField,
  files: listField.optional().describe("Related paths, relative to the project."),
  branch: nameField.optional(),
  reverts: referenceField.optional().describe("Key of an earlier passage that it reverts."),
  occurred_at: startTimeField,
});

export const readSource = defineOperation({
  name: "read_source",
  summary: "Add new passages of a session, history or file to its source",
  description:
    "A source is identified by kind and key, independently of the path it is read from. " +
    "Passages are in their original order; known keys are skipped. A " +
    "forgotten source stays forgotten.",
  kind: "write",
  input: z.strictObject({
    kind: nameField.describe("Origin of the source: claude-code, git, file."),
    key: referenceField.describe("Name of the source at its origin."),
    title: nameField.optional(),
    place: referenceField.optional().describe("Folder, branch or address of the source."),
    mark: noteField.optional().describe("Read position after these passages, for the next read."),
    passages: z.array(newPassage).max(INPUT_LIMITS.passagesOfReading),
    gone: z
      .array(referenceField)
      .max(INPUT_LIMITS.passagesOfReading)
      .optional()
      .describe(
        "Keys that no longer exist in the source. If given, even empty, returning keys are restored.",
      ),
    complete: z
      .boolean()
      .optional()
      .describe(
        "These are all passages of the source: missing ones are marked as gone, returning ones restored.",
      ),
  }),
  output: z.object({
    id: z.string().nullable().describe("null if nothing of it is stored yet."),
    created: z.boolean(),
    added: z.number().int(),
    gone: z.number().int().describe("Passages that no longer exist in the source."),
    forgotten: z.boolean(),
  }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: false },
  confirm: (_input, { id, added }) => `${id ?? "Nothing kept"}: ${added} new passage(s).`,
  async run(context, { passages, ...source }) {
    const values = passages.map((passage) => ({ ...passage, files: passage.files ?? [] }));
    const read = await appendPassages(context, { ...source, passages: values });
    return {
      id: read.source === undefined ? null : sourceId(read.source.id),
      created: read.isNew,
      added: read.added,
      gone: read.gone,
      forgotten: read.source !== undefined && read.source.deletedAt !== null,
    };
  },
});
