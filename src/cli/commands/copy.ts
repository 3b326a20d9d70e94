import type { ProjectCopy } from "../../agent/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm } from "../confirm.ts";
import { placesOf } from "../copy/places-of.ts";
import { EXIT } from "../exit-code.ts";

const ACTIONS = ["list", "show", "merge", "discard"] as const;

export const copy: CliCommand = {
  name: "copy",
  reader: "person",
  summary: "See, take over or throw away what an agent did in a copy of the project",
  group: "Agent",
  example:
    "cairn --copy try\ncairn copy list\ncairn copy show try\ncairn copy merge try --leave src/a.ts:2\ncairn copy discard try",
  configure(command) {
    command
      .argument("<action>", ACTIONS.join(", "))
      .argument("[name]", "of the copy")
      .option("--leave <path>", "merge: leave out a file, a folder, or a piece `a.ts:2`", collect)
      .option("--only <path>", "merge: take over this alone; repeatable, as --leave is", collect)
      .option("--commit", "merge: as a commit on the branch of the project, not as changes")
      .option("-m, --message <text>", "merge --commit: what the commit says")
      .option("-y, --yes", "merge, discard: do not ask; needed where nobody can answer");
  },
  async run(line, [action = "", name, ...more], options) {
    const known = ACTIONS.find((one) => one === action);
    if (known === undefined) {
      throw invalidInput(`copy: there is no action "${action}".${didYouMean(action, ACTIONS)}`);
    }
    const { leave, only, commit, message } = options;
    const ofMerge = leave ?? only ?? commit ?? message;
    if (more.length > 0 || (known !== "merge" && ofMerge !== undefined)) {
      throw invalidInput(`copy: write cairn copy ${USAGE[known]}`);
    }
    const places = await placesOf(line, options);
    if (known === "list") return list(line, places, options.json === true);
    if (name === undefined) throw invalidInput(`copy: write cairn copy ${USAGE[known]}`);
    const { findCopy } = await import("../../agent/index.ts");
    const found = findCopy(places.dataDir, places.project, name);
    if (known === "show") return show(line, found, options.json === true);
    return known === "merge" ? merge(line, found, options) : discard(line, found, options);
  },
};

const USAGE = {
  list: "list",
  show: "show NAME",
  merge: "merge NAME [--leave PATH] [--only PATH] [--commit -m TEXT]",
  discard: "discard NAME",
} as const;

async function list(
  line: CommandLine,
  { dataDir, project }: { readonly dataDir: string; readonly project: string },
  isJson: boolean,
): Promise<undefined> {
  const { changesOfCopy, listCopies } = await import("../../agent/index.ts");
  const copies = await Promise.all(
    listCopies(dataDir, project).map(async (one) => ({
      name: one.name,
      created_at: one.createdAt,
      path: one.tree,
      changed_files: (await changesOfCopy(one)).length,
    })),
  );
  if (isJson) line.stdout.write(`${JSON.stringify({ copies })}\n`);
  else if (copies.length === 0) {
    line.stdout.write("There is no copy of this project. `cairn --copy` makes one.\n");
  }
  for (const { name, created_at: at, path, changed_files: count } of isJson ? [] : copies) {
    const files = count === 1 ? "1 file changed" : `${count} files changed`;
    line.stdout.write(`${name}  made ${at.slice(0, 16)}Z  ${files}  ${path}\n`);
  }
  return undefined;
}

async function show(line: CommandLine, found: ProjectCopy, isJson: boolean): Promise<undefined> {
  const { changesOfCopy, countPieces, diffOfChange } = await import("../../agent/index.ts");
  const { stripControl } = await import("../../shared/text.ts");
  const changes = await changesOfCopy(found);
  if (isJson) {
    const files = changes.map((change) => ({
      path: change.path,
      kind: change.kind,
      pieces: countPieces(change),
      diff: diffOfChange(change),
    }));
    line.stdout.write(`${JSON.stringify({ name: found.name, path: found.tree, files })}\n`);
    return undefined;
  }
  if (changes.length === 0) line.stdout.write("Nothing was changed in it.\n");
  for (const change of changes) line.stdout.write(stripControl(diffOfChange(change)));
  return undefined;
}

async function merge(
  line: CommandLine,
  found: ProjectCopy,
  options: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { isActedUpon, mergeAsCommit, mergeCopy, planMerge } = await import("../../agent/index.ts");
  const wish = {
    ...(Array.isArray(options.leave) && { leave: options.leave.map(String) }),
    ...(Array.isArray(options.only) && { only: options.only.map(String) }),
  };
  const message = messageOf(options);
  const plan = await planMerge(found, wish);
  const { writes, left } = plan;
  if (plan.conflicts.length === 0) {
    for (const { path, to } of options.json === true ? [] : writes) {
      const later = isActedUpon(path)
        ? "  (acted upon later, outside of the sandbox: look at it)"
        : "";
      line.stderr.write(`${to.kind === "none" ? "removes" : "writes"} ${path}${later}\n`);
    }
    const question = `Take over ${writes.length} ${writes.length === 1 ? "file" : "files"} into ${found.project}${message === undefined ? "" : " as a commit"}?`;
    if (writes.length > 0 && !(await isAgreed(line, options, question))) return EXIT.failed;
  }
  const commit =
    message === undefined ? undefined : await mergeAsCommit(found, { ...wish, message });
  if (message === undefined) mergeCopy(found, plan);
  const output = { merged: writes.map(({ path }) => path), left, ...(commit && { commit }) };
  const rest = left.length === 0 ? "" : ` ${left.length} left in the copy.`;
  const text =
    writes.length === 0
      ? `There is nothing to take over.${rest}`
      : `Took over ${writes.length} ${writes.length === 1 ? "file" : "files"}${commit === undefined ? "; nothing is committed" : ` as the commit ${commit.slice(0, 10)}`}.${rest} The copy is still there: cairn copy discard ${found.name}`;
  line.stdout.write(options.json === true ? `${JSON.stringify(output)}\n` : `${text}\n`);
  return undefined;
}

/** The commit message; undefined: hand the copy back as uncommitted changes. */
function messageOf({ commit, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (commit === true && typeof message === "string" && message.trim() !== "") return message;
  if (commit === undefined && message === undefined) return undefined;
  throw invalidInput("copy: a commit needs both: --commit -m TEXT");
}

async function discard(
  line: CommandLine,
  found: ProjectCopy,
  options: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { changesOfCopy, discardCopy } = await import("../../agent/index.ts");
  const count = (await changesOfCopy(found)).length;
  const question = `Throw away "${found.name}" with ${count} changed ${count === 1 ? "file" : "files"}? What was not taken over is gone.`;
  if (count > 0 && !(await isAgreed(line, options, question))) return EXIT.failed;
  discardCopy(found);
  const text = `Threw away "${found.name}".`;
  line.stdout.write(
    options.json === true ? `${JSON.stringify({ name: found.name })}\n` : `${text}\n`,
  );
  return undefined;
}

async function isAgreed(
  line: CommandLine,
  { yes }: Readonly<Record<string, unknown>>,
  question: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (line.stdin.isTTY !== true) {
    throw invalidInput(`--yes: is needed here, since nobody can be asked. ${question}`);
  }
  if (await confirm(line, question)) return true;
  line.stderr.write("Nothing was changed.\n");
  return false;
}

function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
