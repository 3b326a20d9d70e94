import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bench, Task, Turn } from "./tasks.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const START_TIME = Date.UTC(2026, 3, 1);

/** A conversation with its date, in days after the first. */
interface Chat {
  readonly id: string;
  readonly day: number;
  readonly turns: readonly Turn[];
}

/** An isolated environment for the program, without the user's own data and settings. */
export interface FillTarget {
  readonly folder: string;
  readonly project: string;
  /** Runs `cairn`. Throws if it fails. */
  cairn(args: readonly string[], input?: string): string;
}

/** Imports every conversation as a Claude Code transcript through the hook that ends a session. */
export function fillByHooks(location: FillTarget, { tasks, decoys }: Bench): void {
  const chats: Chat[] = [
    ...decoys.map((turns, day) => ({ id: `other-${day}`, day, turns })),
    ...tasks.flatMap(({ codebase, chats: own }, index) =>
      own.map((turns, part) => ({
        id: `${codebase}-${part}`,
        day: ((index * 37) % 100) + 20 * part + 0.5,
        turns,
      })),
    ),
  ].sort((a, b) => a.day - b.day);
  for (const [number, chat] of chats.entries()) {
    const session = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const path = join(location.folder, "transcripts", `${chat.id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      chat.turns.map((turn, at) => record(location, { chat, session, turn, at })).join(""),
    );
    location.cairn(
      ["hook", "claude-code", "session-end"],
      JSON.stringify({ session_id: session, transcript_path: path, cwd: location.project }),
    );
  }
}

function record(
  { project }: FillTarget,
  given: {
    readonly chat: Chat;
    readonly session: string;
    readonly turn: Turn;
    readonly at: number;
  },
): string {
  const { chat, session, turn, at } = given;
  return `${JSON.stringify({
    uuid: `${chat.id}-${at}`,
    sessionId: session,
    cwd: project,
    type: turn.by,
    timestamp: new Date(START_TIME + chat.day * DAY_MS + at * 60_000).toISOString(),
    message: { role: turn.by, content: turn.text },
  })}\n`;
}

/** Commits the decisions among unrelated commits and imports them by `cairn import --from git`. */
export function fillByHistory(location: FillTarget, { tasks, decoys }: Bench): void {
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.org"];
    const { status, stderr } = spawnSync("git", [...identity, ...args], {
      cwd: location.project,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  };
  let count = 0;
  const commit = (file: string, message: string) => {
    const path = join(location.project, file);
    mkdirSync(dirname(path), { recursive: true });
    count += 1;
    writeFileSync(path, `# ${count}\n`);
    git("add", ".");
    git("commit", "-qm", message);
  };
  git("init", "-q");
  for (const [index, [asked, answered]] of decoys.entries()) {
    const subject = (asked?.text ?? "").split(/[.?!\n]/)[0]?.slice(0, 70) || `Change ${index}`;
    commit(`other/f${index}.py`, `${subject}\n\n${(answered?.text ?? "").slice(0, 600)}`);
  }
  for (const task of tasks) commit(task.module, decisionOf(task));
  for (const task of tasks) commit(task.module, task.cause_subject ?? "perf: simplify");
  location.cairn(["import", "--from", "git", location.project]);
}

const FUNCTION = /(?<![\w/.])(?!test_)(?:[a-z]+(?:_[a-z]+)+|[a-z]+\d[a-z]+)(?![\w/.])/g;

/** Writes the modules of the tasks, each with the functions that reports about it name. */
export function writeModules(project: string, tasks: readonly Task[]): void {
  for (const { module, bug_report: report } of tasks) {
    const path = join(project, module);
    mkdirSync(dirname(path), { recursive: true });
    const names = new Set(report.match(FUNCTION));
    appendFileSync(path, Array.from(names, (name) => `def ${name}():\n    ...\n`).join("\n"));
  }
}

export function decisionOf({ decision_subject: subject, decision_rationale: why }: Task): string {
  return `${subject ?? "Decide"}\n\n${why ?? ""}`;
}
