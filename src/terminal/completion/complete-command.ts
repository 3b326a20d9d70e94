import type { CommandHelp } from "../../agent/index.ts";
import type { Completion } from "./complete-path.ts";

export function completeCommand(
  text: string,
  cursor: number,
  commands: readonly CommandHelp[],
): Completion | undefined {
  if (text === "?") return HELP;
  if (!text.startsWith("/") || text.includes("\n") || cursor !== text.length) return undefined;
  const typed = text.slice(1).toLowerCase();
  const argument = completeArgument(text, commands);
  if (argument !== undefined) return argument;
  const listed = typed === "" ? inOrderOfUse(commands) : commands;
  const items = listed
    .filter(({ name }) => name.startsWith(typed) || matchesWord(name, typed))
    .map(({ name, summary, usage }) => ({
      insert: usage === undefined ? `/${name}` : `/${name} `,
      label: usage === undefined ? `/${name}` : `/${name} ${usage}`,
      detail: summary,
      isWhole: usage === undefined || usage.startsWith("["),
    }));
  const isTyped = items.length === 1 && items[0]?.insert.trim() === text;
  if (items.length === 0 || isTyped) return undefined;
  return { items, selected: 0, from: 0, to: text.length };
}

const HELP: Completion = {
  items: [{ insert: "/help", label: "/help", detail: "Show available commands", isWhole: true }],
  selected: 0,
  from: 0,
  to: 1,
};

const OFTEN_USED = ["help", "plan", "undo", "clear", "model", "sessions", "tasks", "remember"];

function inOrderOfUse(commands: readonly CommandHelp[]): readonly CommandHelp[] {
  const often = OFTEN_USED.flatMap(
    (name) => commands.find((command) => command.name === name) ?? [],
  );
  return [...often, ...commands.filter((command) => !often.includes(command))];
}

/** Completes an argument with choices: `/effort [off|low|medium|high]`. */
function completeArgument(text: string, commands: readonly CommandHelp[]): Completion | undefined {
  const [, name = "", typed = ""] = /^\/(\S+)\s+(\S*)$/.exec(text) ?? [];
  const usage = commands.find((command) => command.name === name.toLowerCase())?.usage ?? "";
  const [, listed] = /^\[(\w+(?:\|\w+)+)\]$/.exec(usage) ?? [];
  const words = listed?.split("|").filter((word) => word.startsWith(typed.toLowerCase())) ?? [];
  if (words.length === 0 || words[0] === typed) return undefined;
  const items = words.map((word) => ({ insert: word, label: word, detail: "", isWhole: true }));
  return { items, selected: 0, from: text.length - typed.length, to: text.length };
}

/** `add` matches `tasks add` once enough is typed. */
function matchesWord(name: string, typed: string): boolean {
  return typed.length > 1 && name.split(" ").some((word) => word.startsWith(typed));
}
