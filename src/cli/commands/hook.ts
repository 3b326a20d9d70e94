import { messageOf } from "../../kernel/errors.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";

export const hook: CliCommand = {
  name: "hook",
  summary: "Run by a client at the start, the prompts and the end of a session; see cairn connect",
  group: "Servers",
  example:
    'cairn hook claude-code session-start < event.json\necho \'{"prompt": "Why Redis?"}\' | cairn hook claude-code prompt --debug',
  configure(command) {
    command
      .argument("[client]", "as of cairn connect")
      .argument("[event]", "session-start, prompt, compact, stop or session-end")
      .option("--debug", "say on standard error what went wrong, and how long it took")
      // A client takes exit code 2 for an order to stop: what is unknown must not be an error.
      .allowUnknownOption()
      .allowExcessArguments();
  },
  async run(line, args, options) {
    const began = performance.now();
    const tell = (text: string) => {
      if (options.debug === true) line.stderr.write(`cairn hook: ${text}\n`);
    };
    try {
      const printed = await answer(line, args, options);
      if (printed !== undefined) line.stdout.write(`${printed}\n`);
      tell(`${printed === undefined ? "nothing to say" : "answered"}`);
    } catch (error) {
      // The client's own work goes on, whatever happens to its memory.
      tell(messageOf(error));
    }
    tell(`${Math.round(performance.now() - began)} ms`);
    return undefined;
  },
};

async function answer(
  line: CommandLine,
  [name = "", moment = ""]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const [{ HOOK_EVENTS, requireClient }, { readStdin }, { readHookInput }, { runHook }] =
    await Promise.all([
      import("../../clients/index.ts"),
      import("../read-stdin.ts"),
      import("../hook/hook-input.ts"),
      import("../hook/run-hook.ts"),
    ]);
  const client = requireClient(name);
  const event = HOOK_EVENTS.find((known) => known === moment);
  if (event === undefined) throw new Error(`there is no event "${moment}"`);
  const input = readHookInput(line.stdin.isTTY === true ? "" : await readStdin(line));
  const quiet = options.debug === true ? line : { ...line, logger: silentLogger };
  const context = await runHook(quiet, { client, event, input, options });
  return context === undefined ? undefined : client.hooks?.answer(event, context);
}
