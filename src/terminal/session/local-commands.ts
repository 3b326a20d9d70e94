import type { CommandHelp } from "../../agent/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { THEMES } from "../theme/themes.ts";
import type { SessionPort } from "./session-port.ts";

interface LocalCommand extends CommandHelp {
  /** True if it was done; false leaves it to the agent. */
  run(session: SessionPort, args: string): Promise<boolean>;
}

const KEYS = [
  "Enter sends; Shift-Enter, Alt-Enter, Ctrl-J or a backslash at the end starts a new line.",
  "Up and Down go through lines, then through what was sent before.",
  "Ctrl-R searches what was sent before by the words typed then, Ctrl-G opens your $EDITOR.",
  "Tab completes commands after / and paths after @; ? alone offers this help.",
  "A line that begins with ! runs as a command of yours: !git status.",
  "Ctrl-V puts the image on the clipboard into the message; an image file can be dropped into it.",
  "Ctrl-S keeps in memory what is offered at the end of some work.",
  "Esc stops what runs; twice while nothing does, it goes back to an earlier message (/undo).",
  "Ctrl-C stops or clears, twice leaves, Ctrl-D leaves.",
  "Ctrl-Z gives the terminal back to the shell; fg goes on.",
  "Ctrl-O shows the last folded result in full, Ctrl-L draws the screen again.",
  "Ctrl-A, Ctrl-E, Alt-B, Alt-F, Ctrl-W, Ctrl-U, Ctrl-K, Ctrl-Y edit as in a shell.",
].join("\n");

/** Commands that only make sense on a screen; all others are the agent's. */
const COMMANDS: readonly LocalCommand[] = [
  { name: "exit", summary: "Leave", run: leave },
  { name: "quit", summary: "Leave", run: leave },
  {
    name: "keys",
    summary: "Show what the keys do",
    run: async (session) => {
      session.note("print", KEYS);
      return true;
    },
  },
  {
    name: "model",
    usage: "[name]",
    summary: "Choose the model of this session from those that the provider has",
    run: async (session, args) => {
      if (args.trim() !== "") return false;
      await session.models.pick();
      return true;
    },
  },
  {
    name: "theme",
    usage: `[${THEMES.join("|")}]`,
    summary: "Show or change the colours, for a dark or a light background",
    run: changeTheme,
  },
  {
    name: "setup",
    summary: "Choose the provider and model",
    run: (session) => session.runSetup(),
  },
];

/** Runs `/name` here when it is a command of the screen; false: it is not. */
export async function runLocalCommand(session: SessionPort, text: string): Promise<boolean> {
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const command = COMMANDS.find((known) => known.name === name.toLowerCase());
  return command === undefined ? false : command.run(session, args);
}

/** Everything that can be typed here, as a list, which stays readable in few columns. */
export function drawHelp(commands: readonly CommandHelp[]): string {
  const lines = allCommands(commands).map(({ name, usage, summary }) => {
    const typed = usage === undefined ? `/${name}` : `/${name} ${usage}`;
    return `- \`${typed}\` ${summary}`;
  });
  return `${lines.join("\n")}\n\n${KEYS}`;
}

/** The agent's commands and those of the screen, by name. */
export function allCommands(ofAgent: readonly CommandHelp[]): readonly CommandHelp[] {
  const names = new Set(ofAgent.map(({ name }) => name));
  const all = [...ofAgent, ...COMMANDS.filter(({ name }) => !names.has(name))];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function leave(session: SessionPort): Promise<boolean> {
  session.leave();
  return true;
}

/** `/theme [auto|dark|light]` */
async function changeTheme(session: SessionPort, args: string): Promise<boolean> {
  const { theming } = session;
  const wanted = THEMES.find((theme) => theme === args.trim().toLowerCase());
  if (args.trim() === "") {
    const now = theming.theme === "auto" ? `auto (${session.screen.paint})` : theming.theme;
    const off = theming.colors.isOff ? " NO_COLOR is set: without it there are colours." : "";
    session.note("info", `The theme is ${now}. /theme ${THEMES.join("|")} changes it.${off}`);
  } else if (wanted === undefined) {
    session.note("error", `"${args.trim()}" is not a theme: ${THEMES.join(", ")}.`);
  } else {
    try {
      const file = await session.changeTheme(wanted);
      session.note("success", `The theme is ${wanted}${file === undefined ? "" : ` (${file})`}.`);
    } catch (error) {
      session.note("error", `The theme is ${wanted}, but was not kept: ${messageOf(error)}`);
    }
  }
  return true;
}
