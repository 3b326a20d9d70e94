import type { NightState } from "../../agent/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";
import { placesOf } from "../copy/places-of.ts";

const MARKS = { waiting: "[ ]", running: "[~]", done: "[x]", failed: "[!]" } as const;

type Options = Readonly<Record<string, unknown>>;

/** Shows the progress of the last run, or of the named one. */
export async function tellStatus(
  line: CommandLine,
  id: string | undefined,
  options: Options,
): Promise<undefined> {
  const { findNight, readNight, workerOf } = await import("../../agent/index.ts");
  const { dataDir, project } = await placesOf(line, options);
  const place = findNight(dataDir, project, id);
  const state = readNight(place);
  const worker = workerOf(place);
  if (options.json === true) {
    line.stdout.write(`${JSON.stringify(statusOf(state, worker))}\n`);
    return undefined;
  }
  const lines = [
    `${state.id}: ${standing(state, worker)}`,
    ...[...state.tasks.values()].map(({ task, status, reason }) =>
      [MARKS[status], task.id, task.name, ...(reason === "" ? [] : [`(${reason})`])].join(" "),
    ),
    ...openQuestions(state).map(
      ({ question, task, title }) =>
        `? task ${task} asks: ${title}; cairn run answer ${question} yes|no`,
    ),
  ];
  line.stdout.write(`${stripControl(lines.join("\n"))}\n`);
  return undefined;
}

function statusOf(state: NightState, worker: number | undefined) {
  return {
    run: state.id,
    process: worker ?? null,
    ended_at: state.ended?.at ?? null,
    ended_by: state.ended?.reason ?? "",
    tasks: [...state.tasks.values()].map(({ task, status, reason, requests, copy }) => {
      return { id: task.id, name: task.name, status, reason, requests, copy: copy ?? null };
    }),
    questions: openQuestions(state),
  };
}

function openQuestions({ questions }: NightState) {
  return questions.filter(({ answer }) => answer === undefined);
}

function standing({ ended }: NightState, worker: number | undefined): string {
  if (worker !== undefined) return `at work in process ${worker}`;
  if (ended === undefined) return "stopped; `cairn run --resume` goes on";
  return ended.reason === "" ? "ended" : `ended: ${ended.reason}`;
}
