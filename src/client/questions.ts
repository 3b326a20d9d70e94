import type { ServerMessage } from "../server/ui/index.ts";

export type Question = Extract<ServerMessage, { type: "permission.ask" }>["payload"];

export type Decision = "once" | "session" | "always" | "no";

/**
 * Formats everything a user must see before deciding: the full command or change, the reason, whose
 * message preceded it, and what "always" would allow.
 */
export function wholeQuestion(question: Question): string {
  const { tool, title, command, diff, reason, readBefore = [], always, contextLabel } = question;
  const caller = [contextLabel, tool].filter((part) => part !== undefined).join(" ");
  const sources = readBefore.length === 0 ? "" : `after reading ${readBefore.join(", ")}`;
  return [
    `${caller}: ${title}`,
    ...(command === undefined || command === title ? [] : [command]),
    diff ?? "",
    reason === "" ? "" : `because ${reason}`,
    sources === "" || reason.includes(sources) ? "" : sources,
    always.length === 0 ? "" : `"session" and "always" would also allow: ${always.join(", ")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

export function answersOf({ always }: Question): readonly Decision[] {
  return always.length === 0 ? ["once", "no"] : ["once", "session", "always", "no"];
}
