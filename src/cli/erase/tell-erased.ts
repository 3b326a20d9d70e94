import type { CommandLine } from "../command-line.ts";
import { CURES } from "../purge/verify-purged.ts";
import type { Erased, Proof } from "./proof.ts";

/** What will be or was erased in one database. */
export function tellErased(
  line: CommandLine,
  { db, erased, held, remains }: Pick<Erased, "erased" | "held" | "remains"> & { db: string },
  isDone: boolean,
): void {
  const counts = Object.entries(erased).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? singular(kind) : kind}`],
  );
  const verb = isDone ? "erased" : "would erase";
  line.stdout.write(`${db}: ${verb} ${counts.length === 0 ? "nothing" : counts.join(", ")}.\n`);
  for (const { id, hold } of held) {
    line.stdout.write(`${db}: ${id} stays: it is under a legal hold (hold=${hold}).\n`);
  }
  for (const sentence of remains) line.stdout.write(`${db}: ${sentence}\n`);
}

/** What was searched, and what cannot be reached. */
export function tellProof(line: CommandLine, { databases, verified }: Proof): void {
  for (const one of databases) tellErased(line, one, true);
  const { words, looked, found, unread, name_found: named } = verified;
  line.stdout.write(
    `Looked for ${words} ${words === 1 ? "line" : "lines"} of what was erased, and for the name, in ${looked} files that cairn keeps or has written.\n`,
  );
  for (const place of found) {
    line.stdout.write(
      `Still there: ${place.file}: at byte ${place.offset}; ${CURES[place.kind](place)}\n`,
    );
  }
  for (const place of named) {
    line.stdout.write(`The name still stands in ${place.file}: at byte ${place.offset}.\n`);
  }
  for (const file of unread) line.stdout.write(`${file}: could not be looked at.\n`);
  if (found.length + unread.length === 0)
    line.stdout.write("Nothing of what was erased is left there.\n");
  for (const sentence of new Set(databases.flatMap((one) => one.kept_elsewhere))) {
    line.stdout.write(`Out of reach: ${sentence}\n`);
  }
}

const singular = (kind: string) => kind.replace(/s$/, "");
