import type { SlashCommand } from "../ports/slash-command.ts";
import { clear } from "./clear.ts";
import { conflicts } from "./conflicts.ts";
import { consolidate } from "./consolidate.ts";
import { createSkill } from "./create-skill.ts";
import { createSubagent } from "./create-subagent.ts";
import { effort } from "./effort.ts";
import { exportCommand } from "./export.ts";
import { forget } from "./forget.ts";
import { fork } from "./fork.ts";
import { handover } from "./handover.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { keep } from "./keep.ts";
import { mcp } from "./mcp.ts";
import { model } from "./model.ts";
import { plan } from "./plan.ts";
import { planExit } from "./plan-exit.ts";
import { plans } from "./plans.ts";
import { plansMicrosplit } from "./plans-microsplit.ts";
import { plansRun } from "./plans-run.ts";
import { plansSplit } from "./plans-split.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { rename } from "./rename.ts";
import { resume } from "./resume.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import { tasks } from "./tasks.ts";
import { tasksAdd } from "./tasks-add.ts";
import { tasksRm } from "./tasks-rm.ts";
import { tasksRun } from "./tasks-run.ts";
import { redo, undo } from "./undo.ts";
import { why } from "./why.ts";
import { worktree } from "./worktree.ts";
import { wrong } from "./wrong.ts";

/** Every built-in command, in the order of `/help`. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  clear,
  model,
  effort,
  handover,
  undo,
  redo,
  init,
  remember,
  keep,
  wrong,
  forget,
  recall,
  why,
  conflicts,
  consolidate,
  plan,
  planExit,
  plans,
  plansSplit,
  plansMicrosplit,
  plansRun,
  tasks,
  tasksAdd,
  tasksRun,
  worktree,
  tasksRm,
  mcp,
  skills,
  createSkill,
  createSubagent,
  sessions,
  resume,
  fork,
  rename,
  exportCommand,
];
