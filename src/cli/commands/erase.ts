import type { App } from "../../app/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import { type ErasedDatabase, proofOf, wordsOf } from "../erase/proof.ts";
import { tellErased, tellProof } from "../erase/tell-erased.ts";
import { EXIT } from "../exit-code.ts";
import { requireExisting, withMemory } from "../open-app.ts";
import { confirmForGood } from "../purge/confirm-for-good.ts";

export const erase: CliCommand = {
  name: "erase",
  reader: "person",
  summary: "Forget a person for good, and prove what is gone, what stays and what is out of reach",
  group: "Corrections",
  example:
    "cairn erase --person Ada --dry-run\ncairn erase --person Ada --entity person:Ada --everywhere",
  configure(command) {
    command
      .option("--person <name>", "all that was written under this name, and what they asked")
      .option("--entity <entity>", "all that names this person, e.g. person:Ada")
      .option("--everywhere", "in every database, not in this one alone")
      .option("--dry-run", "show what would go")
      .option("-y, --yes", "do not ask; needed where nobody can answer");
  },
  run: (line, _positionals, options) =>
    withMemory(line, options, async (memory, app) => {
      const asked = askedFor(options);
      const memories = await memoriesOf(app, memory, options.everywhere === true);
      const found: (ErasedDatabase & { readonly memory: MemoryEngine })[] = [];
      for (const each of memories) {
        const erased = await each.execute("erase", { ...asked, dry_run: true }, { surface: "cli" });
        found.push({ memory: each, db: each.name, erased, words: await wordsOf(each, erased) });
      }
      const isJson = options.json === true;
      if (options.dryRun === true && isJson) {
        const shown = found.map(({ db, erased }) => ({ db, ...erased }));
        line.stdout.write(`${JSON.stringify({ dry_run: true, databases: shown })}\n`);
      } else if (!isJson) {
        for (const { db, erased } of found) tellErased(line, { db, ...erased }, false);
      }
      if (options.dryRun === true) return EXIT.ok;
      const names = Object.values(asked).map((name) => name.replace(/^person:/, ""));
      const isAgreed = options.yes === true || (await confirmForGood(line, names.join(", ")));
      if (!isAgreed) return EXIT.failed;
      const done: ErasedDatabase[] = [];
      for (const { memory: each, db, words } of found) {
        done.push({ db, words, erased: await each.execute("erase", asked, { surface: "cli" }) });
      }
      const proof = await proofOf(app, done, [...new Set(names)]);
      if (isJson) line.stdout.write(`${JSON.stringify(proof)}\n`);
      else tellProof(line, proof);
      const { found: left, unread } = proof.verified;
      return left.length + unread.length === 0 ? EXIT.ok : EXIT.failed;
    }),
};

function askedFor({ person, entity }: Readonly<Record<string, unknown>>): Record<string, string> {
  const asked = {
    ...(typeof person === "string" && { person }),
    ...(typeof entity === "string" && { entity }),
  };
  if (Object.keys(asked).length > 0) return asked;
  throw invalidInput(
    "--person: give the name under which they wrote, or --entity, as in --entity person:Ada",
  );
}

async function memoriesOf(
  app: App,
  memory: MemoryEngine,
  everywhere: boolean,
): Promise<readonly MemoryEngine[]> {
  if (everywhere) return (await app.store.list()).map(({ name }) => app.store.open(name));
  await requireExisting(memory);
  return [memory];
}
