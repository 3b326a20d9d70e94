import { invalidInput, notFound } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { placesOf } from "../copy/places-of.ts";
import { appOptions } from "../open-app.ts";
import { nightFlags, refuseMore } from "../run/night-flags.ts";

type Options = Readonly<Record<string, unknown>>;

export const run: CliCommand = {
  name: "run",
  reader: "model",
  summary: "Work through a list of tasks while nobody watches, and report in the morning",
  group: "Agent",
  example:
    'cairn run tasks.md --check "npm test" --hours 8 --max-cost 20\ncairn run --resume\ncairn run status\ncairn run answer 4f2a1c-1 yes\ncairn run report',
  interruptible: true,
  configure(command) {
    command
      .argument("[tasks]", "a checklist in Markdown; or status, report, answer")
      .argument(
        "[more...]",
        "status, report: which run; answer: the question, and yes, no or words",
      )
      .option("--resume [run]", "go on with the last run, or this one")
      .option("--new", "begin another, though one has no end yet")
      .option("--check <command>", "must succeed before a task counts as done; repeatable", collect)
      .option("--in-place", "work in the project itself, one task after the other")
      .option(
        "--land <what>",
        "of a task that is done: copy (default) keeps its copy, branch makes one of it too",
      )
      .option("--at-once <n>", "tasks at the same time")
      .option("--questions <what>", "wait for a person (default), or refuse what asks")
      .option("--hours <n>", "end after so many hours")
      .option("--max-cost <dollars>", "end before it costs more")
      .option("--max-tokens <n>", "end before it takes more tokens")
      .option("--max-turns <n>", "model requests for one task")
      .option("--max-disk <mb>", "end when the copies take more")
      .option("--allowed-tools <list>", 'runs these without a question: "edit, shell(npm test *)"')
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent")
      .option("--effort <level>", "how much the model thinks: off, low, medium or high")
      .option("--permission <mode>", "what runs without a question: ask, edits or auto");
  },
  async run(line, [first, ...more], options) {
    if (first === "status") {
      refuseMore(more.slice(1), "status [run]");
      const { tellStatus } = await import("../run/tell-status.ts");
      return tellStatus(line, more[0], options);
    }
    if (first === "report") return report(line, more, options);
    if (first === "answer") return answer(line, more, options);
    refuseMore(more, "tasks.md");
    const { workOnNight } = await import("../run/work-on-night.ts");
    return workOnNight(line, first, options);
  },
};

async function report(
  line: CommandLine,
  [id, ...more]: readonly string[],
  options: Options,
): Promise<undefined> {
  refuseMore(more, "report [run]");
  const [{ openUnattended }, { findNight, readNight }, { writeReport }] = await Promise.all([
    import("../../app/index.ts"),
    import("../../agent/index.ts"),
    import("../run/write-report.ts"),
  ]);
  const unattended = await openUnattended(appOptions(line, nightFlags(options)));
  try {
    const { dataDir, paths } = unattended.config;
    const state = readNight(findNight(dataDir, paths.projectRoot, id));
    await writeReport(unattended.config, await unattended.report(state), line, options);
    return undefined;
  } finally {
    await unattended.close();
  }
}

async function answer(
  line: CommandLine,
  [question, word, ...more]: readonly string[],
  options: Options,
): Promise<undefined> {
  if (question === undefined || word === undefined) {
    throw invalidInput(
      "run: write cairn run answer QUESTION yes, or no and what to do instead, or the words",
    );
  }
  const { AnswerFiles, listNights, readBegunNight } = await import("../../agent/index.ts");
  const { dataDir, project } = await placesOf(line, options);
  const place = [...listNights(dataDir, project)]
    .reverse()
    .find((night) =>
      readBegunNight(night)?.questions.some(
        (one) => one.question === question && one.answer === undefined,
      ),
    );
  if (place === undefined) {
    throw notFound(
      `run: no question "${question}" is open. \`cairn run status\` lists those that are.`,
    );
  }
  const words = more.join(" ");
  const message = words === "" ? {} : { message: words };
  const given = /^n(o)?$/i.test(word)
    ? { decision: "no" as const, ...message }
    : /^y(es)?$/i.test(word)
      ? { decision: "once" as const, ...message }
      : { decision: "once" as const, message: [word, ...more].join(" ") };
  new AnswerFiles(place.answers).put(question, given);
  line.stdout.write(
    options.json === true ? `${JSON.stringify({ question, ...given })}\n` : "Answered.\n",
  );
  return undefined;
}

function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
