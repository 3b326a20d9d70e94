import { invalidInput, messageOf } from "../../kernel/errors.ts";
import { parseMoment } from "../../kernel/moment.ts";
import { parseInteger } from "../../kernel/strict-scalars.ts";
import type { CliCommand } from "../cli-command.ts";
import { completeId } from "../complete-ids.ts";
import { inShellWords } from "../in-shell-words.ts";
import { withMemory } from "../open-app.ts";

export const log: CliCommand = {
  name: "log",
  reader: "person",
  summary: "Show what changed, newest first: of everything, or of one item",
  group: "Inspection",
  shelf: "everyday",
  example: "cairn log -p\ncairn log ep:3 -p\ncairn log --since 2026-01-01 --by Ada",
  configure(command) {
    command
      .argument("[id]", "an episode, fact, concept, conflict, entity, topic, or key=value")
      .option("-p, --patch", "show each field before and after")
      .option("--since <date>", "only from this date or time on, e.g. 2d, yesterday, 2026-03")
      .option("--by <author>", "only what this author wrote")
      .option("--session <session>", "only of this session")
      .option("--kind <kind>", "only changes with such an event, e.g. deleted")
      .option("-n, --limit <count>", "at most this many (default: 50)");
  },
  run: (line, [id], options) =>
    withMemory(line, options, async (memory) => {
      const limit =
        typeof options.limit === "string" ? { limit: parseInteger(options.limit, "--limit") } : {};
      const words = { id: "id", start_date: "--since", author: "--by" };
      const output = await inShellWords(words, async () =>
        id === undefined
          ? memory.executeNamed("changes", {
              ...limit,
              diff: options.patch === true,
              ...(typeof options.since === "string" && {
                start_date: momentOf(options.since),
              }),
              ...(options.by !== undefined && { author: options.by }),
              ...(options.session !== undefined && { session: options.session }),
              ...(options.kind !== undefined && { kind: options.kind }),
            })
          : memory.executeNamed("history", { id: await completeId(memory, id), ...limit }),
      );
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify(output)}\n`);
        return undefined;
      }
      const [{ drawChanges, drawHistory }, { styleOf }, { pageOut }] = await Promise.all([
        import("../render/draw-changes.ts"),
        import("../render/style.ts"),
        import("../render/page-out.ts"),
      ]);
      const style = styleOf(line);
      const lines =
        id === undefined
          ? drawChanges(output as Parameters<typeof drawChanges>[0], style)
          : drawHistory(output as Parameters<typeof drawHistory>[0], {
              style,
              patch: options.patch === true,
            });
      pageOut(line, lines, options.pager !== false);
      return undefined;
    }),
};

/** Throws invalid_input that names the option. */
function momentOf(text: string): string {
  try {
    return parseMoment(text, "start", new Date());
  } catch (error) {
    throw invalidInput(`--since: ${messageOf(error)}`);
  }
}
