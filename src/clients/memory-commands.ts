import { join } from "node:path";
import type { OwnedFile } from "./client.ts";

/** What the commands ask of the model; `args` is the client's placeholder for the typed words. */
export const MEMORY_COMMANDS = {
  recall: {
    summary: "Search the memory",
    prompt: (args: string) =>
      `Call cairn's \`recall\` with this query and answer from what it returns; say so if it returns nothing: ${args}`,
  },
  remember: {
    summary: "Store something in the memory",
    prompt: (args: string) =>
      `Store this with cairn's \`remember\`, in one sentence that stands alone, with the fitting type and the entities it is about: ${args}`,
  },
} as const;

/** `/cairn-recall` and `/cairn-remember` as Markdown files with front matter. */
export function memoryCommands(folder: string, args: string): readonly OwnedFile[] {
  return Object.entries(MEMORY_COMMANDS).map(([name, { summary, prompt }]) => ({
    file: join(folder, `cairn-${name}.md`),
    text: `---\ndescription: ${summary}\n---\n\n${prompt(args)}\n`,
  }));
}

export function memoryCommandsInToml(folder: string): readonly OwnedFile[] {
  return Object.entries(MEMORY_COMMANDS).map(([name, { summary, prompt }]) => ({
    file: join(folder, `cairn-${name}.toml`),
    text: `description = ${JSON.stringify(summary)}\nprompt = ${JSON.stringify(prompt("{{args}}"))}\n`,
  }));
}
