import { messageOf } from "../../shared/errors.ts";
import type { AuditLog, AuditOutcome } from "../audit/audit-log.ts";
import type { Caller, CallToJudge } from "./call-to-judge.ts";

interface Noted {
  readonly reason: string;
  readonly outcome: AuditOutcome;
  readonly network?: boolean;
  readonly credential?: string | undefined;
  readonly by?: string | undefined;
}

/**
 * Takes a call down before it runs. Returns what the model is told where that failed: then it does not run.
 */
export async function noteDecision(
  audit: AuditLog | undefined,
  call: CallToJudge & Caller,
  { reason, outcome, network, credential, by }: Noted,
): Promise<string | undefined> {
  const { tool, input, threadId } = call;
  const touches = tool.uses?.(input) ?? [];
  const named = touches.flatMap((touch) => {
    if (touch.kind === "command") return [touch.command];
    return "path" in touch ? [touch.path] : touch.kind === "host" ? [touch.host] : [];
  });
  const subject = named.length > 0 ? named.join(" ") : JSON.stringify(input);
  const said = {
    ...{ reason, outcome, network: network === true, keys: credential !== undefined },
    ...(by !== undefined && { by }),
  };
  try {
    await audit?.note({ threadId, tool: tool.name, subject, ...said });
    return undefined;
  } catch (error) {
    return `Not run: it could not be noted in the log of what the agent does (${messageOf(error)}). Tell the user.`;
  }
}
