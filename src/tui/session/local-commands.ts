import { messageOf } from "../../kernel/errors.ts";
import type { CommandHelp } from "../completion/completion.ts";
import { toRecallView } from "../memory/recall-view.ts";
import { userItem } from "../state/reduce.ts";
import type { SessionPort } from "./session-port.ts";

interface LocalCommand extends CommandHelp {
  /** Whether it was done; false leaves it to the agent. */
  run(session: SessionPort, args: string): Promise<boolean>;
}

const KEYS = [
  "Enter sends, Alt-Enter or Ctrl-J starts a new line, a backslash at the end of a line too.",
  "Up and Down go through lines, then through what was sent before.",
  "Tab completes commands after / and paths after @.",
  "Esc stops what runs; twice while nothing does, it goes back to an earlier message (/undo).",
  "Ctrl-C stops or clears, twice leaves, Ctrl-D leaves.",
  "Ctrl-O shows the last folded result in full, Ctrl-L draws the screen again.",
  "Ctrl-A, Ctrl-E, Alt-B, Alt-F, Ctrl-W, Ctrl-U, Ctrl-K, Ctrl-Y edit as in a shell.",
].join("\n");

/** Commands that only make sense on a screen; the others go to the agent. */
const COMMANDS: readonly LocalCommand[] = [
  { name: "exit", summary: "Leave", run: leave },
  { name: "quit", summary: "Leave", run: leave },
  {
    name: "help",
    summary: "Show the commands and keys",
    run: async (session) => {
      session.note("print", `${commandList(session.commands)}\n\n${KEYS}`);
      return true;
    },
  },
  {
    name: "keys",
    summary: "Show what the keys do",
    run: async (session) => {
      session.note("print", KEYS);
      return true;
    },
  },
  { name: "recall", summary: "Search the memory", usage: "<query>", run: recall },
  {
    name: "sessions",
    summary: "Choose an earlier session to go on with",
    run: async (session) => {
      session.pickSession();
      return true;
    },
  },
  {
    name: "resume",
    summary: "Go on with an earlier session",
    usage: "[id]",
    run: async (session, args) => {
      if (args === "") session.pickSession();
      else await session.resume(args);
      return true;
    },
  },
  {
    name: "setup",
    summary: "Choose the provider and model",
    run: (session) => session.runSetup(),
  },
];

export const LOCAL_COMMANDS: readonly CommandHelp[] = COMMANDS;

/** Runs `/name args` here when it is a command of the screen; false: it is not. */
export async function runLocalCommand(session: SessionPort, text: string): Promise<boolean> {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const command = COMMANDS.find(({ name }) => name === match?.[1]?.toLowerCase());
  return command === undefined ? false : command.run(session, (match?.[2] ?? "").trim());
}

/** As a list, which stays readable in few columns. */
function commandList(commands: readonly CommandHelp[]): string {
  return commands
    .map(({ name, usage, summary }) => {
      const typed = usage === undefined ? `/${name}` : `/${name} ${usage}`;
      return `- \`${typed}\` ${summary}`;
    })
    .join("\n");
}

async function leave(session: SessionPort): Promise<boolean> {
  session.leave();
  return true;
}

/** Drawn as items with score, age and provenance; needs no model and no session. */
async function recall(session: SessionPort, args: string): Promise<boolean> {
  const memory = session.connection?.memory;
  if (memory === undefined || args === "") return false;
  session.dispatch({ type: "append", items: [userItem(`/recall ${args}`)] });
  try {
    const output = await memory.execute("recall", { query: args });
    const view = toRecallView(args, output, new Date());
    session.dispatch({ type: "append", items: [{ kind: "recall", recall: view }] });
  } catch (error) {
    session.note("error", messageOf(error));
  }
  return true;
}
