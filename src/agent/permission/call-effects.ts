import { isInside } from "../../shared/is-inside.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import { isAutoRun } from "../tools/auto-run-files.ts";
import type { Claim } from "../tools/claims.ts";
import type { Touch } from "../tools/define-tool.ts";
import type { ProjectPaths } from "../tools/project-paths.ts";
import { type CommandContext, commandEffects } from "./command-effects.ts";
import { RISK_REASONS } from "./command-risks.ts";
import { type Effect, type PermissionAction, WHOLE_TOOL } from "./permission-types.ts";
import type { UntrustedContent } from "./taint.ts";

export interface CallContext extends CommandContext {
  readonly isRunByGit: (path: string) => Promise<boolean>;
  /** Untrusted content in the conversation, if any. */
  readonly foreign: UntrustedContent | undefined;
  /** True if the user stated the claim, or the conversation has no other source. */
  readonly isPersons: (claim: Claim) => boolean;
  readonly paths: ProjectPaths;
  readonly knownFiles: ReadonlySet<string>;
}

export async function callEffects(
  touches: readonly Touch[],
  surroundings: CallContext,
): Promise<readonly Effect[]> {
  const lists = await Promise.all(touches.map((touch) => effectsOfCall(touch, surroundings)));
  const effects = lists.flat();
  return surroundings.foreign === undefined
    ? effects
    : effects.map((effect) => ({ ...effect, isTainted: true }));
}

async function effectsOfCall(touch: Touch, surroundings: CallContext): Promise<readonly Effect[]> {
  const { tool, mode } = surroundings;
  switch (touch.kind) {
    case "command":
      return commandEffects(touch.command, surroundings);
    case "read":
    case "write":
      return [await judgeFileAccess(touch, surroundings)];
    case "host":
      return [
        {
          tool,
          kind: "network",
          subject: touch.host,
          byMode: "ask",
          reason: "it reaches the network",
          always: touch.host,
          isLasting: true,
        },
      ];
    case "memory":
      return [memoryEffect(touch.claims ?? [], surroundings)];
    case "unknown":
      return [
        {
          tool,
          subject: touch.version ?? tool,
          byMode: mode === "plan" ? "deny" : "ask",
          reason: "",
          always: touch.version ?? WHOLE_TOOL,
        },
      ];
  }
}

function memoryEffect(
  claims: readonly Claim[],
  { tool, mode, foreign, isPersons }: CallContext,
): Effect {
  const subject = "memory";
  if (mode === "plan") return { tool, subject, byMode: "deny", reason: "" };
  const ask = (reason: string): Effect => ({
    ...{ tool, subject, byMode: "ask", reason, isLasting: true },
    isProposable: tool === "remember",
  });
  if (foreign !== undefined && (foreign.isOfThisTurn || claims.length === 0)) {
    return ask(`it would be stored in memory after reading ${foreign.text}`);
  }
  const claim = claims.find((one) => !isPersons(one));
  if (claim === undefined) return { tool, subject, byMode: "allow", reason: "" };
  return ask(`it would be stored as your ${claim.type}, but you did not state it`);
}

async function judgeFileAccess(
  touch: Extract<Touch, { readonly path: string }>,
  context: CallContext,
): Promise<Effect> {
  const { tool, mode, paths, knownFiles } = context;
  const { absolute, root } = await paths.locate(touch.path);
  const isOutside = !isInside(root, absolute);
  const subject = isOutside ? absolute : absolute.slice(root.length + 1) || ".";
  if (isOutside) {
    if (touch.kind === "read" && (await paths.mayReadOutside(absolute))) {
      return { tool, subject, byMode: "allow", reason: "" };
    }
    if (!paths.allowsOutside) {
      const byMode = mode === "plan" && touch.kind === "write" ? "deny" : "ask";
      const reason = "it is outside the project";
      return { tool, subject, byMode, reason, isOutside: true };
    }
  }
  if (touch.kind === "read") return { tool, subject, byMode: "allow", reason: "" };
  if (isAutoRun(subject) || (await context.isRunByGit(absolute))) {
    const byMode = mode === "plan" ? "deny" : "ask";
    return {
      ...{ tool, subject, byMode, reason: RISK_REASONS.config, always: subject },
      isLasting: true,
    };
  }
  const isUnread = touch.overwrites === true && !knownFiles.has(absolute);
  return {
    tool,
    subject,
    byMode: editEffect(mode, isUnread),
    reason: isUnread ? "it overwrites a file that was not read in this thread" : "",
    always: folderPattern(subject),
  };
}

function editEffect(mode: PermissionMode, isUnread: boolean): PermissionAction {
  if (mode === "plan") return "deny";
  if (mode === "ask") return "ask";
  return isUnread && mode === "edits" ? "ask" : "allow";
}

function folderPattern(path: string): string {
  const end = path.lastIndexOf("/");
  return end === -1 ? path : `${path.slice(0, end)}/*`;
}
