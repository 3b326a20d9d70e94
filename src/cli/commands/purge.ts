import { createInterface } from "node:readline/promises";
import { invalidInput } from "../../kernel/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { requireExisting, withMemory } from "../open-app.ts";

export const purge: CliCommand = {
  name: "purge",
  reader: "person",
  summary: "Forget the text of items for good, and prove that nothing of it is left",
  group: "Corrections",
  example: 'cairn purge ep:3 fact:7\ncairn purge --verify "a name"',
  configure(command) {
    command
      .argument("[ids...]", "episodes, facts and concepts")
      .option("--verify <text>", "look for this text in every byte of the database's files")
      .option("-y, --yes", "do not ask; needed where nobody can answer");
  },
  run: (line, ids, options) =>
    withMemory(line, options, async (memory) => {
      await requireExisting(memory);
      const verify = typeof options.verify === "string" ? options.verify : undefined;
      if (ids.length === 0 && verify === undefined) {
        throw invalidInput("ids: name what to purge, e.g. cairn purge ep:3, or give --verify TEXT");
      }
      if (verify?.trim() === "") throw invalidInput("--verify: must not be blank");
      if (ids.length > 0) {
        if (options.yes !== true && !(await confirmed(line, ids))) return EXIT.failed;
        const purged = await memory.execute("purge", { ids: [...ids] }, { surface: "cli" });
        if (options.json !== true) {
          line.stdout.write(`Purged for good: ${purged.purged.join(", ")}.\n`);
          if (verify === undefined) tellKept(line, purged.kept_elsewhere);
        } else if (verify === undefined) line.stdout.write(`${JSON.stringify(purged)}\n`);
      }
      if (verify === undefined) return EXIT.ok;
      await memory.finishErasing();
      const database = await memory.database();
      const found = await database.findBytes(verify);
      const { keptElsewhere } = await import("../../database/index.ts");
      const kept = await database.read(keptElsewhere);
      const alsoKept = kept.length > 0 ? { kept_elsewhere: kept } : {};
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ found, ...alsoKept })}\n`);
      } else if (found.length === 0) {
        line.stdout.write(
          kept.length > 0
            ? "No query finds it in the database.\n"
            : "No byte of it is left in the database, its log or its drafts.\n",
        );
        tellKept(line, kept);
      } else {
        for (const { file, offset } of found) {
          line.stdout.write(`${file}: at byte ${offset}\n`);
        }
        line.stdout.write("It is still there. `cairn recall` or `cairn log` may tell where.\n");
      }
      return found.length === 0 ? EXIT.ok : EXIT.failed;
    }),
};

/** What no purge can reach. */
function tellKept(line: CommandLine, kept: readonly string[] = []): void {
  for (const sentence of kept) line.stdout.write(`${sentence}\n`);
}

/** Asks on a terminal. Throws invalid_input where nobody can answer. */
async function confirmed(line: CommandLine, ids: readonly string[]): Promise<boolean> {
  if (line.stdin.isTTY !== true || line.stdout.isTTY !== true) {
    throw invalidInput(
      "--yes: is needed here, since nobody can be asked. A purge cannot be undone",
    );
  }
  const dialogue = createInterface({ input: line.stdin, output: line.stdout });
  try {
    const question = `Forget ${ids.join(", ")} for good? This cannot be undone. [y/N] `;
    const answer = await dialogue.question(question, { signal: line.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}
