import { messageOf } from "../../shared/errors.ts";
import { changesOfCopy, hunksOf } from "../copies/copy-changes.ts";
import { commitOnBranch } from "../copies/merge-as-commit.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { Landed, NightOptions } from "./night-entry.ts";
import type { NightTask } from "./night-task.ts";

/** What a task that is done becomes; the same where it was done before. */
export async function landTask(
  { name, project, ...copy }: ProjectCopy,
  task: NightTask,
  { land, inPlace }: Pick<NightOptions, "inPlace" | "land">,
): Promise<Landed> {
  const whole = { name, project, ...copy };
  const stat = await statOf(whole);
  if (inPlace) return stat;
  const kept = { ...stat, copy: name };
  if (land === "copy" || stat.files === 0) return kept;
  const branch = `cairn/${name}`;
  try {
    const commit = await commitOnBranch(whole, { branch, message: messageFor(task) });
    return commit === undefined ? kept : { ...kept, branch, commit };
  } catch (error) {
    return { ...kept, problem: messageOf(error) };
  }
}

export async function statOf(copy: ProjectCopy): Promise<Omit<Landed, "copy">> {
  let [files, added, removed] = [0, 0, 0];
  for (const change of await changesOfCopy(copy)) {
    files += 1;
    for (const line of hunksOf(change).flatMap(({ lines }) => lines)) {
      if (line.startsWith("+")) added += 1;
      else if (line.startsWith("-")) removed += 1;
    }
  }
  return { files, added, removed };
}

const MOST_SUBJECT = 72;

function messageFor({ name, details }: NightTask): string {
  const subject = name.length <= MOST_SUBJECT ? name : `${name.slice(0, MOST_SUBJECT - 1)}…`;
  const body = name.length <= MOST_SUBJECT ? details : `${name}\n\n${details}`;
  return body.trim() === "" ? subject : `${subject}\n\n${body.trim()}`;
}
