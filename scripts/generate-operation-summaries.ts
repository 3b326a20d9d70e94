import { writeFile } from "node:fs/promises";
import { operationSummariesSource } from "./operation-summaries-source.ts";

/** Writes the table from which `cairn --help` lists the operations without loading them. */
await writeFile("src/cli/operation-summaries.ts", operationSummariesSource());
