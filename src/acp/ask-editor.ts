import type { AgentContext, PermissionOption } from "@agentclientprotocol/sdk/unstable";
import type { PermissionDecision, PermissionQuestion } from "../agent/index.ts";
import { describeToolCall } from "./describe-tool-call.ts";
import { diffContents } from "./diff-contents.ts";
import { textContent } from "./session-updates.ts";

const ALLOWING = ["once", "session", "always"] as const;

/** Asks the person at the editor about a call. An editor that cannot ask has not allowed it. */
export async function askEditor(
  client: AgentContext,
  question: PermissionQuestion,
  cwd: string,
): Promise<PermissionDecision> {
  const { threadId, callId, tool, title, command, diff, reason, always } = question;
  const options: PermissionOption[] = [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    ...(always.length === 0
      ? []
      : [
          {
            optionId: "session",
            name: `Allow ${always.join(", ")} in this session`,
            kind: "allow_always" as const,
          },
          {
            optionId: "always",
            name: `Always allow ${always.join(", ")}`,
            kind: "allow_always" as const,
          },
        ]),
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const { kind } = describeToolCall(tool, {}, cwd);
  const content = [
    ...(reason === "" ? [] : [textContent(`It asks because ${reason}.`)]),
    ...(command === undefined ? [] : [textContent(asCode(command))]),
    ...(diff === undefined ? [] : diffContents(title, diff)),
  ];
  try {
    const { outcome } = await client.request("session/request_permission", {
      sessionId: threadId,
      toolCall: {
        toolCallId: callId,
        title: `${tool} ${title}`,
        kind,
        content,
        status: "pending",
      },
      options,
    });
    const chosen = outcome.outcome === "selected" ? outcome.optionId : "no";
    return ALLOWING.find((decision) => decision === chosen) ?? "no";
  } catch {
    // An editor that cannot ask has not allowed it.
    return "no";
  }
}

/** As code, since an editor would take signs of Markdown out of it. */
function asCode(command: string): string {
  const longest = Math.max(2, ...(command.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${command}\n${fence}`;
}
