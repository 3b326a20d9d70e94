import type { SlashCommand } from "../ports/slash-command.ts";
import { clear, handover } from "./clear.ts";
import { conflicts } from "./conflicts.ts";
import { consolidate } from "./consolidate.ts";
import { createSkill, createSubagent, skills } from "./create-skill.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { mcp } from "./mcp.ts";
import { effort, model } from "./model.ts";
import { plan, planExit } from "./plan.ts";
import { plans, plansMicrosplit, plansRun, plansSplit } from "./plans.ts";
import { forget, keep, recall, remember } from "./remember.ts";
import { exportCommand, fork, rename, resume, sessions } from "./sessions.ts";
import { tasks, tasksAdd, tasksRm, tasksRun } from "./tasks.ts";
import { redo, undo } from "./undo.ts";
import { why } from "./why.ts";
import { worktree } from "./worktree.ts";
import { wrong } from "./wrong.ts";

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
