import { operationCommand } from "../../src/cli/operation-command/operation-command.ts";
import { createOperations } from "../../src/memory/index.ts";

/** TypeScript of `operation-summaries.ts`, from the operations. */
export function operationSummariesSource(): string {
  const entries = [...createOperations().values()].flatMap((operation) => {
    const command = operationCommand(operation);
    if (command === undefined) return [];
    const { name, summary, group, aliases, shelf } = command;
    const line = `    summary: ${JSON.stringify(summary)},`;
    const shown = line.length <= LINE ? line : line.replace("summary: ", "summary:\n      ");
    const list = aliases?.map((alias) => JSON.stringify(alias)).join(", ");
    const further = [
      ...(list === undefined ? [] : [`    aliases: [${list}],\n`]),
      ...(shelf === undefined ? [] : [`    shelf: ${JSON.stringify(shelf)},\n`]),
    ];
    return `  {\n    name: ${JSON.stringify(name)},\n${shown}\n    group: ${JSON.stringify(group)},\n${further.join("")}  },\n`;
  });
  return `${HEAD}[\n${entries.join("")}];\n`;
}

/** Longest line that the formatter leaves whole. */
const LINE = 100;

const HEAD = `// Made by \`npm run docs\` from the operations; a test compares the two.
import type { CommandSummary } from "./cli-command.ts";

/** Commands that are made from operations: what the help says of them, without loading them. */
export const OPERATION_SUMMARIES: readonly CommandSummary[] = `;
