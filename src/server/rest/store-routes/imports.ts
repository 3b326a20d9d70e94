import { z } from "zod";
import {
  createImportInput,
  guessImporter,
  importerNamed,
  importerNames,
  importInWorker,
  planImport,
  runImport,
  writeChangeset,
} from "../../../ingest/importers/index.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { imported } from "./responses.ts";
import { defineStoreRoute } from "./store-route.ts";

export const importRoute = defineStoreRoute({
  method: "POST",
  path: "/import",
  id: "import",
  summary: "Import another tool's memory; with `dry_run`, return the changeset",
  output: imported,
  body: z.strictObject({
    text: z.string().min(1, "must contain the file's text").describe("The file, as text."),
    from: z
      .string()
      .meta({ enum: [...importerNames] })
      .optional()
      .describe(`${importerNames.join(", ")}; guessed where clear.`),
    file_name: z
      .string()
      .max(512)
      .default("import")
      .describe("File name, used to detect the format."),
    dry_run: z.boolean().default(false),
    as_facts: z.boolean().default(false).describe("Imports statements about entities as facts."),
    conversations: z.boolean().default(false).describe("Also imports whole conversations."),
    map: z
      .record(z.string(), z.string())
      .default({})
      .describe("Source field name by episode field."),
  }),
  changes: ({ dry_run: isDry }) => !isDry,
  scope: "write",
  databases: ({ store, db }) => [store.open(db).name],
  isLong: true,
  async serve({ store, db, input, caller, signal, onProgress }) {
    const memory = store.open(db);
    const { text, from, file_name: name, dry_run: dryRun } = input;
    const bytes = new TextEncoder().encode(text);
    const fileName = name.replace(/^.*[\\/]/, "");
    const source = createImportInput(bytes, fileName);
    const importer = from === undefined ? await guessImporter(source) : importerNamed(from);
    if (importer === undefined) {
      throw invalidInput(`from: cannot detect the format; use one of ${importerNames.join(", ")}`);
    }
    const options = {
      asFacts: input.as_facts,
      conversations: input.conversations,
      map: input.map,
    };
    const records = importInWorker({ from: importer.name, bytes, name: fileName, options }, signal);
    const work = { memory, importer, input: source, options, records, caller, signal, onProgress };
    if (!dryRun) return { dry_run: false, ...(await runImport(work)) };
    const { ops, leftOut, report } = await planImport(work, memory.limits.changesetOps);
    const changeset = await writeChangeset(ops);
    return { dry_run: true, ...report, changeset, left_out: leftOut };
  },
});
