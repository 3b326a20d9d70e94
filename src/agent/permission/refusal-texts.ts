import type { PermissionMode } from "../ports/permission-mode.ts";
import type { Judgement } from "./judge-call.ts";

export function denial({ reason, byRule }: Judgement, mode: PermissionMode): string {
  if (byRule) return `Not run: ${reason}. Do it another way, or ask the user to change the rule.`;
  if (mode !== "plan") return `Not run: ${reason}.`;
  return (
    "Not run: in plan mode nothing is changed. Look around and say what you would do; the user " +
    "leaves the mode with shift+tab or --permission."
  );
}

export function nobodyToAsk({ reason, byRule }: Judgement, mode: PermissionMode): string {
  const why = reason === "" ? `mode "${mode}" asks before this` : reason;
  const isMode = !byRule && mode !== "auto" && reason === "";
  const cure = isMode
    ? "`--permission auto` runs it without asking"
    : 'a rule in "permission.rules" allows it, or an answer in a terminal (`--permission` sets the mode)';
  return `Not run: ${why}, and there is nobody to ask here. Tell the user that ${cure}.`;
}

/** `hidden` names a character of the command that no card could show. */
export function notShown(hidden: string): string {
  return (
    `Not run: the command holds the character ${hidden}, which nobody would see when they are ` +
    "asked about it. Write it as an escape that the program reads (printf, $'…'), or leave it out."
  );
}

/** `message` is what the person said beside their no. */
export function isRefusal(message: string | undefined): string {
  const words = message?.trim() ?? "";
  return words === ""
    ? "The user said no to this call. Do not try it in another way; ask what to do instead."
    : `The user said no to this call: ${words}`;
}
