import { writeFile } from "node:fs/promises";
import { cliReference } from "./cli-reference.ts";

/** Writes the reference page of the command line. */
await writeFile("docs/reference/cli.md", await cliReference());
