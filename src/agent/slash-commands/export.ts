import { isAbsolute, join, relative } from "node:path";
import { invalidInput } from "../../shared/errors.ts";
import { replacePinnedFile } from "../documents/pinned-folder.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: { name: "file.md | file.html" },
  summary: "Write this session to a file, as Markdown or as a page",
  immediate: true,
  async run({ dialogue, sessions, threadId, projectRoot }, args) {
    const info = sessions.list().find((one) => one.threadId === threadId);
    if (info === undefined || info.messageCount === 0) {
      dialogue.info("There is nothing to export yet.");
      return;
    }
    const name = nameOf(args, info.threadId);
    const path = isAbsolute(name) ? name : join(projectRoot, name);
    const format = name.endsWith(".html") ? "html" : "markdown";
    await replacePinnedFile(path, await sessions.write(info.threadId, format));
    dialogue.success(`Written to ${relative(projectRoot, path) || path}.`);
  },
};

function nameOf(args: string, threadId: string): string {
  const own = `cairn-session-${threadId.slice(0, 8)}`;
  if (args === "" || args === "md" || args === "markdown") return `${own}.md`;
  if (args === "html") return `${own}.html`;
  if (/\.(md|markdown|html)$/.test(args)) return args;
  throw invalidInput(`file: "${args}" ends neither in .md nor in .html.`);
}
