import { shortenLine, showControl } from "../../shared/text.ts";
import type { AuditEntry } from "../audit/audit-log.ts";
import type { RunState } from "./run-log.ts";

export interface RunReport {
  readonly run: string;
  readonly project: string;
  readonly branch: string;
  readonly begun_at: string;
  /** Null while the run continues or is stopped. */
  readonly ended_at: string | null;
  /** Reason for an early end; empty if all tasks ended. */
  readonly ended_by: string;
  readonly restarts: number;
  readonly done: readonly ReportedTask[];
  readonly not_done: readonly ReportedTask[];
  readonly refused: readonly {
    readonly task: string;
    readonly tool: string;
    readonly subject: string;
    readonly reason: string;
  }[];
  readonly spent: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number | null;
    /** Maximum cost of interrupted requests. */
    readonly uncertain: { readonly requests: number; readonly cost: number };
    readonly hours: number;
    readonly waited_hours: number;
  };
}

interface ReportedTask {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly requests: number;
  readonly checks: readonly string[];
}

const REFUSED_OUTCOMES: ReadonlySet<string> = new Set(["refused", "nobody to ask", "answered no"]);

/** `audit`: entries of the run's worktree. */
export function createReport(
  state: RunState & { start: NonNullable<RunState["start"]> },
  audit: readonly AuditEntry[],
): RunReport {
  const { start, ended, tasks, spent } = state;
  const reported = start.tasks.map((task): ReportedTask => {
    const { status = "pending", entry } = tasks.get(task.id) ?? {};
    return {
      ...{ id: task.id, name: task.name, status, reason: entry?.reason ?? "" },
      ...{ commit: entry?.commit ?? null, branch: entry?.branch ?? null },
      ...{ files: entry?.files ?? 0, added: entry?.added ?? 0, removed: entry?.removed ?? 0 },
      requests: state.requestsOf(task.id),
      checks: [...start.checks, ...task.checks],
    };
  });
  const prefix = `run-${start.run}-`;
  return {
    run: start.run,
    project: start.project,
    branch: `cairn/run-${start.run}`,
    begun_at: start.at,
    ended_at: ended?.at ?? null,
    ended_by: ended?.reason ?? "",
    restarts: state.starts - 1,
    done: reported.filter(({ status }) => status === "done"),
    not_done: reported.filter(({ status }) => status !== "done"),
    refused: audit
      .filter(
        ({ threadId, outcome }) => threadId.startsWith(prefix) && REFUSED_OUTCOMES.has(outcome),
      )
      .map(({ threadId, tool, subject, reason }) => ({
        ...{ task: threadId.slice(prefix.length), tool, subject, reason },
      })),
    spent: {
      ...{ input_tokens: spent.inputTokens, output_tokens: spent.outputTokens },
      cost: spent.dollars,
      uncertain: { requests: spent.uncertain.requests, cost: spent.uncertain.dollars },
      hours: hoursBetween(start.at, ended?.at ?? state.lastAt),
      waited_hours: state.waits.reduce((sum, { at, until }) => sum + hoursBetween(at, until), 0),
    },
  };
}

/** Text of models and programs is escaped and stays on its line. */
export function formatReport(report: RunReport): string {
  const { done, not_done: notDone, refused, spent, branch } = report;
  const all = done.length + notDone.length;
  const lines = [
    `# ${done.length} of ${all} ${all === 1 ? "task" : "tasks"} done`,
    "",
    `Run ${report.run} in ${inline(report.project)}, ${spent.hours.toFixed(1)} h.`,
    ...(report.ended_by === "" ? [] : ["", `**Ended early:** ${inline(report.ended_by)}`]),
    ...(done.some(({ commit }) => commit !== null)
      ? ["", `Review: \`git log -p HEAD..${branch}\`. Take over: \`git merge ${branch}\`.`]
      : []),
    ...section(
      "Done",
      done.map((task) => `- ${task.id}. ${inline(task.name)} (${describeWork(task)})`),
    ),
    ...section(
      "Not done",
      notDone.map((task) => {
        const rest = task.branch === null ? "" : ` Its work is on \`${task.branch}\`.`;
        return `- ${task.id}. ${inline(task.name)}: ${inline(task.reason || task.status)}${rest}`;
      }),
    ),
    ...section(
      "Refused",
      refused.map(
        ({ task, tool, subject, reason }) =>
          `- ${task}: ${tool} ${inline(subject)} (${inline(reason)})`,
      ),
    ),
    ...section("Spent", [
      `- ${spent.input_tokens} input and ${spent.output_tokens} output tokens`,
      `- ${spent.cost === null ? "The price of the model is not known." : `$${spent.cost.toFixed(2)}${spent.uncertain.requests === 0 ? "" : `, at most $${spent.uncertain.cost.toFixed(2)} of it for ${spent.uncertain.requests} interrupted requests`}`}`,
      ...(spent.waited_hours === 0
        ? []
        : [`- ${spent.waited_hours.toFixed(1)} h waiting for the model`]),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function describeWork({ files, added, removed, checks }: ReportedTask): string {
  const proof =
    checks.length === 0
      ? "no checks"
      : `${checks.map((check) => `\`${inline(check)}\``).join(", ")} passed`;
  return `${files} ${files === 1 ? "file" : "files"}, +${added} −${removed}; ${proof}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

function inline(text: string): string {
  return showControl(shortenLine(text, 400));
}

function hoursBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 3_600_000;
}
