import type { ProjectCopy } from "../../agent/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { placesOf } from "./places-of.ts";

/** The copy that `--copy` names, existing or new; undefined without the flag. */
export async function copyWanted(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
): Promise<ProjectCopy | undefined> {
  const { copy: wanted } = options;
  if (wanted === undefined || wanted === false) return undefined;
  if (typeof wanted === "string" && /\s/.test(wanted)) {
    throw invalidInput(
      `--copy: "${wanted}" is no name of a copy. Write the name first, \`--copy try "…"\`, or the words first.`,
    );
  }
  const [{ listCopies, makeCopy }, { systemClock }] = await Promise.all([
    import("../../agent/index.ts"),
    import("../../shared/clock.ts"),
  ]);
  const { dataDir, project } = await placesOf(line, options);
  const copies = listCopies(dataDir, project);
  const name = typeof wanted === "string" ? wanted : freeName(copies);
  const known = copies.find((one) => one.name === name);
  if (known !== undefined) {
    line.stderr.write(`cairn: goes on in the copy "${name}", made ${known.createdAt}\n`);
    return known;
  }
  let told = Date.now();
  const onProgress = (done: number, all: number) => {
    if (Date.now() - told < 1_000) return;
    told = Date.now();
    line.stderr.write(`cairn: copied ${done} of ${all} files\n`);
  };
  const made = await makeCopy({ dataDir, project, name, clock: systemClock, onProgress });
  line.stderr.write(
    `cairn: works in a copy, "${name}"; \`cairn copy merge ${name}\` takes over what is done there, \`cairn copy discard ${name}\` throws it away\n`,
  );
  return made;
}

function freeName(copies: readonly ProjectCopy[]): string {
  const taken = new Set(copies.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    if (!taken.has(`copy-${number}`)) return `copy-${number}`;
  }
}
