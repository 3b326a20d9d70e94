import { shortenLine, stripControl } from "../../shared/text.ts";
import type { NightReport, ReportedTask } from "./night-report.ts";

/** Of a long list, so much is shown; the rest is in `--json`. */
const SHOWN = 20;
const SHOWN_OUTPUT = 15;

/** The report as a page for a person; what models and programs said is quoted and cannot leave its line. */
export function reportAsMarkdown(report: NightReport): string {
  const { done, not_done: notDone } = report;
  const lines = [
    `# ${headline(report)}`,
    "",
    `${report.project}, begun ${moment(report.begun_at)}${report.ended_at === null ? ", still at work" : `, ended ${moment(report.ended_at)}`}.`,
    ...(report.ended_by === ""
      ? []
      : ["", `**It ended before everything was done:** ${inline(report.ended_by)}`]),
    ...(report.restarts === 0
      ? []
      : [
          "",
          `It was begun again ${times(report.restarts)} after a stop and went on where it was.`,
        ]),
    ...section("Done", done.flatMap(doneTask)),
    ...section("Not done", notDone.flatMap(openTask)),
    ...section("Asked", asked(report)),
    ...section("Refused", refused(report)),
    ...section("Learned", learned(report)),
    "",
    "## Spent",
    "",
    ...spent(report),
    ...section("Notes", list(report.notes.map(inline))),
  ];
  return `${stripControl(lines.join("\n"))}\n`;
}

function headline({ done, not_done: notDone }: NightReport): string {
  const all = done.length + notDone.length;
  return `${done.length} of ${all} ${all === 1 ? "task" : "tasks"} done`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

function doneTask(task: ReportedTask): readonly string[] {
  const checks = task.checks.map(({ command }) => code(command));
  const proof = checks.length === 0 ? "nothing checks it" : `${checks.join(", ")} succeeded`;
  return [
    `### ${task.id}. ${inline(task.name)}`,
    "",
    `${statOf(task)}; ${proof}; ${effort(task)}.`,
    ...(task.problem === null ? [] : ["", `No branch: ${inline(task.problem)}`]),
    ...howToSee(task),
    "",
  ];
}

function openTask(task: ReportedTask): readonly string[] {
  const failed = task.checks.find(({ ok }) => !ok);
  const output = failed?.output.split("\n").slice(-SHOWN_OUTPUT) ?? [];
  return [
    `### ${task.id}. ${inline(task.name)}`,
    "",
    `${inline(task.reason)} ${effort(task)}.`,
    ...(failed === undefined || output.join("") === ""
      ? []
      : ["", `The end of ${code(failed.command)}:`, "", ...output.map((line) => `    ${line}`)]),
    ...(task.files === 0 ? [] : ["", `What it left: ${statOf(task)}.`, ...howToSee(task)]),
    "",
  ];
}

function statOf({ files, added, removed }: ReportedTask): string {
  if (files === 0) return "no file changed";
  return `${files === 1 ? "1 file" : `${files} files`} changed, +${added} −${removed}`;
}

function effort({ minutes, requests, cost }: ReportedTask): string {
  const money = cost === null || cost === 0 ? "" : `, ${dollars(cost)}`;
  return `${Math.round(minutes)} min, ${requests} ${requests === 1 ? "request" : "requests"}${money}`;
}

function howToSee({ copy, path, branch, changed, files }: ReportedTask): readonly string[] {
  if (files === 0) return [];
  const shown = changed.slice(0, SHOWN).map((file) => `- ${code(file)}`);
  const rest = changed.length > SHOWN ? [`- and ${changed.length - SHOWN} more`] : [];
  const commands = [
    ...(branch === null ? [] : [`    git show ${branch}`]),
    ...(copy === null || path === null
      ? []
      : [
          `    cairn copy show ${copy}`,
          `    cairn copy merge ${copy}`,
          `    cairn copy discard ${copy}`,
        ]),
  ];
  return [
    ...(shown.length === 0 ? [] : ["", ...shown, ...rest]),
    ...(commands.length === 0 ? [] : ["", ...commands]),
  ];
}

function asked({ asked: questions }: NightReport): readonly string[] {
  return list(
    questions.map(({ task, title, reason, answer, id }) => {
      const why = reason === "" ? "" : ` (${inline(reason)})`;
      const said = answer === null ? `**open**: \`cairn run answer ${id} yes\`` : inline(answer);
      return `Task ${task}: ${inline(title)}${why}: ${said}`;
    }),
  );
}

function refused({ refused: calls }: NightReport): readonly string[] {
  return list(
    calls.map(({ task, tool, subject, outcome, reason }) => {
      const of = task === "" ? "" : `Task ${task}: `;
      return `${of}${tool} ${code(subject)}, ${outcome}${reason === "" ? "" : ` (${inline(reason)})`}`;
    }),
  );
}

/** With what puts it right, since nobody was there to do so. */
function learned({ learned: all }: NightReport): readonly string[] {
  if (all.length === 0) return [];
  return [
    ...list(all.map(inline)),
    "",
    "Put one right with `cairn episode update ID`, take one out with `cairn delete ID`; what waits for you is",
    "listed by `cairn list proposals`.",
  ];
}

function spent({ spent: sum }: NightReport): readonly string[] {
  const { uncertain } = sum;
  return [
    ...(sum.cost === null
      ? ["- Money: not known, since a price is missing"]
      : [`- Money: ${dollars(sum.cost)}`]),
    ...(uncertain.requests === 0
      ? []
      : [
          `  - of that ${dollars(uncertain.cost)} at the most for ${uncertain.requests} requests that were cut off`,
        ]),
    `- Tokens: ${sum.input_tokens.toLocaleString("en")} read, ${sum.output_tokens.toLocaleString("en")} written`,
    `- Time: ${sum.hours.toFixed(1)} h, of them ${sum.waited_hours.toFixed(1)} h waiting for the model or the disk`,
  ];
}

function list(items: readonly string[]): readonly string[] {
  const shown = items.slice(0, SHOWN).map((item) => `- ${item}`);
  return items.length > SHOWN
    ? [...shown, `- and ${items.length - SHOWN} more: \`cairn run report --json\``]
    : shown;
}

function dollars(sum: number): string {
  return `$${sum.toFixed(2)}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function moment(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}

/** One line of text, in which nothing is markup. */
function inline(text: string): string {
  return shortenLine(text, 400).replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function code(text: string): string {
  const line = shortenLine(text, 200);
  const fence = "`".repeat(longestRun(line) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
