import { OWNER } from "../../shared/caller.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../command-line.ts";
import { completeId } from "../complete-ids.ts";
import { addFilterFlags, readFilterFlags } from "../filter-flags.ts";
import { rephraseErrors } from "../rephrase-errors.ts";

const FILTERS: readonly string[] = ["since", "until", "by", "session"];

export const log: CliCommand = {
  name: "log",
  reader: "person",
  summary: "Show changes of the memory or of one item, newest first",
  group: "Inspection",
  shelf: "everyday",
  example: "cairn log -p\ncairn log ep:3 -p\ncairn log --since 2026-01-01 --by Ada",
  configure(command) {
    addFilterFlags(command, FILTERS);
    command
      .argument("[id]", "an episode, fact, concept, conflict, entity, topic, or key=value")
      .option("-p, --patch", "show each field before and after")
      .option("--kind <kind>", "only changes with this event, e.g. deleted")
      .option("-n, --limit <count>", "maximum number (default: 50)");
  },
  run: (line, [id], options) =>
    withMemory(line, options, async (memory) => {
      const limit =
        typeof options.limit === "string" ? { limit: parseInteger(options.limit, "--limit") } : {};
      const words = { id: "id", ...Object.fromEntries(FILTERS.map((name) => [name, `--${name}`])) };
      const output = await rephraseErrors(words, async () =>
        id === undefined
          ? memory.executeNamed(
              "changes",
              {
                ...limit,
                diff: options.patch === true,
                ...readFilterFlags(options, FILTERS),
                ...(options.kind !== undefined && { kind: options.kind }),
              },
              { caller: OWNER },
            )
          : memory.executeNamed(
              "history",
              { id: await completeId(memory, id), ...limit },
              { caller: OWNER },
            ),
      );
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify(output)}\n`);
        return undefined;
      }
      const [{ drawChanges, drawHistory }, { detectStyle: getStyle }, { showInPager: pageOut }] =
        await Promise.all([
          import("../render/draw-changes.ts"),
          import("../render/style.ts"),
          import("../render/show-in-pager.ts"),
        ]);
      const style = getStyle(line);
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
