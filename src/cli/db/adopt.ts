import type { App } from "../../app/index.ts";
import type { Adoptable } from "../../config/index.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm } from "../command-line.ts";

export interface Adoption {
  readonly app: App;
  readonly line: CommandLine;
  /** Database to adopt; undefined to detect it. */
  readonly name: string | undefined;
  readonly yes: boolean;
}

/**
 * Adopts the memory of a moved or cloned project. First commit and remote identify the project, but
 * a repository can fake both, so the user confirms unclear or shared matches.
 */
export async function adopt({ app, line, name, yes }: Adoption) {
  const {
    findAdoptable: adoptable,
    gitDatabase,
    storeRepository,
    findSurelyAdoptable: surelyAdoptable,
  } = await import("../../config/index.ts");
  const { dataDir } = app.config;
  const here = gitDatabase(line.cwd, dataDir);
  if (here?.refused !== undefined) throw stateConflict(here.refused);
  if (here?.common === undefined) {
    throw invalidInput(
      "db adopt: this folder is not in a git worktree; use `cairn init NAME` to choose its database",
    );
  }
  const { workTree, common } = here;
  const stored = new Set((await app.store.list()).map((each) => each.name));
  const project = { dataDir, workTree, common, database: here.name };
  const found = adoptable(project).filter(({ database }) => stored.has(database));
  if (name !== undefined && !stored.has(name)) {
    throw notFound(`There is no database "${name}". \`cairn db list\` lists all.`);
  }
  const candidate =
    name === undefined ? (surelyAdoptable(found) ?? requireSingle(found)) : findKnown(name, found);
  if (candidate.database === here.name) {
    throw stateConflict(`This project already uses "${here.name}".`);
  }
  const isSure = candidate === surelyAdoptable(found) && !stored.has(here.name);
  if (!isSure && !yes)
    await confirmAdoption(line, candidate, stored.has(here.name) ? here.name : undefined);
  storeRepository(dataDir, { common, workTree, database: candidate.database });
  const abandoned = stored.has(here.name) ? { left: here.name } : {};
  return {
    name: candidate.database,
    folder: workTree,
    agreement: candidate.agreement,
    ...abandoned,
  };
}

function findKnown(database: string, found: readonly Adoptable[]): Adoptable {
  const unknown = { database, folder: "", exists: false, agreement: [] };
  return found.find((each) => each.database === database) ?? unknown;
}

function requireSingle(found: readonly Adoptable[]): Adoptable {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) {
    throw notFound(
      "No memory shares its first commit or a remote with this project. `cairn db list` lists all; `cairn db adopt NAME` adopts one.",
    );
  }
  throw stateConflict(
    `Several memories match this project: ${found.map(describeAdoption).join("; ")}. Choose one: cairn db adopt NAME`,
  );
}

function describeAdoption({ database, folder, exists, agreement }: Adoptable): string {
  const same = agreement.length === 0 ? "no match found" : `same ${agreement.join(" and ")}`;
  const where = folder === "" ? "" : ` of ${folder}${exists ? ", which still exists" : ""}`;
  return `"${database}"${where} (${same})`;
}

async function confirmAdoption(
  line: CommandLine,
  adoptable: Adoptable,
  own: string | undefined,
): Promise<void> {
  const leaves = own === undefined ? "" : ` The content of "${own}" stays there.`;
  if (line.stdin.isTTY !== true) {
    throw invalidInput(
      `--yes: is required without a terminal to confirm that this project is ${describeAdoption(adoptable)}.${leaves}`,
    );
  }
  const question = `Use ${describeAdoption(adoptable)} for this project?${leaves}`;
  if (!(await confirm(line, question))) throw stateConflict("Nothing was changed.");
}
