import type { MemoryEngine } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-code.ts";
import { requireExisting, withMemory } from "../open-app.ts";
import { confirmForGood } from "../purge/confirm-for-good.ts";
import { ownWords } from "../purge/own-words.ts";
import { tellKept, verifyPurged } from "../purge/verify-purged.ts";

export const purge: CliCommand = {
  name: "purge",
  reader: "person",
  summary: "Forget the text of items for good, and prove that nothing of it is left",
  group: "Corrections",
  example:
    'cairn purge ep:3 fact:7\ncairn purge ep:3 --everywhere\ncairn purge --verify "a name" --everywhere',
  configure(command) {
    command
      .argument("[ids...]", "episodes, facts and concepts")
      .option(
        "--verify [text]",
        "look for this text, or for what the items held, in every byte of the database's files",
      )
      .option(
        "--everywhere",
        "look into all that cairn keeps or has written: other databases, the bin, backups, exports, queues",
      )
      .option("-y, --yes", "do not ask; needed where nobody can answer");
  },
  run: (line, ids, options) =>
    withMemory(line, options, async (memory, app) => {
      await requireExisting(memory);
      const everywhere = options.everywhere === true;
      const isVerified = options.verify !== undefined || everywhere;
      const texts = await textsFor(memory, ids, options);
      if (ids.length > 0) {
        if (options.yes !== true && !(await confirmForGood(line, ids.join(", "))))
          return EXIT.failed;
        const purged = await memory.execute("purge", { ids: [...ids] }, { surface: "cli" });
        if (options.json !== true) {
          line.stdout.write(`Purged for good: ${purged.purged.join(", ")}.\n`);
          if (!isVerified) tellKept(line, purged.kept_elsewhere);
        } else if (!isVerified) line.stdout.write(`${JSON.stringify(purged)}\n`);
      }
      if (!isVerified) return EXIT.ok;
      return verifyPurged(line, { memory, app, texts, everywhere, json: options.json === true });
    }),
};

/** Texts that must not be found afterwards: the given text, or what the items hold before the purge. */
async function textsFor(
  memory: MemoryEngine,
  ids: readonly string[],
  { verify, everywhere }: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  if (typeof verify === "string") {
    if (verify.trim() === "") throw invalidInput("--verify: must not be blank");
    return [verify];
  }
  if (ids.length === 0) {
    throw invalidInput("ids: name what to purge, e.g. cairn purge ep:3, or give --verify TEXT");
  }
  if (verify === undefined && everywhere !== true) return [];
  const words = await ownWords(memory, ids);
  if (words.length > 0) return words;
  throw invalidInput(
    `--verify: ${ids.join(", ")} holds no words any more by which it could be found; give them, as in --verify "a name"`,
  );
}
