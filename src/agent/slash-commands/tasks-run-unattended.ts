import { auditPlace } from "../audit/audit-files.ts";
import { readAudit } from "../audit/read-audit.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { describeDraft } from "../tasks/describe-task.ts";
import {
  findTask,
  LOOSE_TASKS,
  planIdOf,
  readTasks,
  setTaskStatus,
  type Task,
} from "../tasks/task-store.ts";
import { findChecks } from "../unattended/find-checks.ts";
import { lastChange, learnedSince } from "../unattended/learned-since.ts";
import { limitsOfSettings } from "../unattended/limits-of-settings.ts";
import type { NightOptions } from "../unattended/night-entry.ts";
import { reportOf } from "../unattended/night-report.ts";
import type { NightState } from "../unattended/night-state.ts";
import type { NightTask } from "../unattended/night-task.ts";
import { notifyBy } from "../unattended/notify.ts";
import { beginNight } from "../unattended/open-night.ts";
import type { Asker } from "../unattended/questions.ts";
import { reportAsMarkdown } from "../unattended/report-as-markdown.ts";

export const tasksRunUnattended: SlashCommand = {
  name: "tasks run --unattended",
  argument: { name: "id" },
  summary: "Do the open loose tasks, or one, in copies while nobody watches, and report",
  async run(context, id) {
    const { dialogue, projectRoot, dataDir, settings, memory } = context;
    const tasks = await openTasks(projectRoot, id);
    if (tasks.length === 0) {
      dialogue.info("There are no open tasks. /tasks add <text> makes one.");
      return;
    }
    const state = await beginNight(
      {
        dataDir,
        options: optionsOf(context),
        tasks: tasks.map(toNightTask),
        memorySeq: await lastChange(memory),
      },
      {
        openHost: context.openBeside,
        notify: notifyBy(settings.unattended.notify, context.environment),
        tell: (line) => dialogue.info(line),
        asker: askerOf(context),
        signal: context.signal,
      },
    );
    await markDone(context, state);
    await tellReport(context, state);
  },
};

async function openTasks(projectRoot: string, id: string): Promise<readonly Task[]> {
  if (id !== "") return [await findTask(projectRoot, id)].filter(isOpen);
  return (await readTasks(projectRoot)).filter(
    (task) => isOpen(task) && planIdOf(task) === LOOSE_TASKS,
  );
}

function isOpen({ status }: Task): boolean {
  return status !== "done";
}

function toNightTask(task: Task): NightTask {
  const details = describeDraft(task).split("\n").slice(1).join("\n");
  return { id: task.id, name: task.name, details, checks: [], after: [] };
}

function optionsOf({ projectRoot, settings, trustsCommands }: SlashCommandContext): NightOptions {
  const { atOnce, questions, land, checkTimeoutMs } = settings.unattended;
  const isTrusted = trustsCommands === true;
  const checks = findChecks({ project: projectRoot, given: [], ofFile: [], settings, isTrusted });
  return {
    project: projectRoot,
    ...{ inPlace: false, land, atOnce, questions, checkTimeoutMs },
    checks: [...checks],
    trustedChecks: "all",
    limits: limitsOfSettings(settings),
  };
}

/** By the question that every surface shows; words are given as what to do instead. */
function askerOf({ askPerson }: SlashCommandContext): Asker | undefined {
  if (askPerson === undefined) return undefined;
  return ({ id, task, kind, tool = "ask_user", title, text, reason, choices = [] }, signal) =>
    askPerson(
      {
        ...{ callId: id, tool, always: [], isUnattended: true },
        // What shows it writes the tool before it.
        title: title.startsWith(`${tool} `) ? title.slice(tool.length + 1) : title,
        ...(text !== "" && { command: text }),
        ...(kind === "words" && { wants: "words" as const, choices }),
        reason: kind === "words" ? "it asks for words: say no, and write them" : reason,
        contextLabel: `[${task.id}]`,
      },
      signal,
    );
}

async function markDone(
  { projectRoot, clock }: SlashCommandContext,
  { tasks }: NightState,
): Promise<void> {
  for (const { task, status } of tasks.values()) {
    if (status === "done") await setTaskStatus(projectRoot, { id: task.id, status: "done", clock });
  }
}

async function tellReport(context: SlashCommandContext, state: NightState): Promise<void> {
  const { dialogue, dataDir, userConfigDir, memory } = context;
  const report = await reportOf({
    ...{ dataDir, state },
    auditOf: async (folder) =>
      (await readAudit(auditPlace(dataDir, userConfigDir, folder))).entries,
    learnedSince: (seq) => learnedSince(memory, seq),
  });
  dialogue.print(reportAsMarkdown(report));
}
