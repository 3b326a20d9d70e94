import type {
  AgentContext,
  PermissionOption,
  ToolCallContent,
} from "@agentclientprotocol/sdk/unstable";
import type {
  PermissionAnswer,
  PermissionDecision,
  PermissionQuestion,
} from "../../agent/index.ts";
import { describeToolCall } from "./describe-tool-call.ts";
import { diffContents } from "./diff-contents.ts";
import { textContent } from "./session-updates.ts";

const ALLOWING = ["once", "session", "always"] as const;

export interface AskedIn {
  readonly sessionId: string;
  readonly cwd: string;
}

/** Asks the user in the editor about a call. Returns undefined if the editor cannot ask. */
export async function askEditor(
  client: AgentContext,
  question: PermissionQuestion,
  { sessionId, cwd }: AskedIn,
): Promise<Pick<PermissionAnswer, "decision" | "message"> | undefined> {
  const { callId, tool, title } = question;
  const { kind } = describeToolCall(tool, {}, cwd);
  try {
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall: {
        ...{ toolCallId: callId, title: `${tool} ${title}`, kind, status: "pending" },
        content: contentOf(question),
      },
      options: optionsOf(question),
    });
    return outcome.outcome === "selected" ? answerOf(outcome.optionId) : undefined;
  } catch {
    return undefined;
  }
}

function contentOf({ command, diff, reason, title }: PermissionQuestion): ToolCallContent[] {
  return [
    ...(reason === "" ? [] : [textContent(`Reason: ${reason}.`)]),
    ...(command === undefined ? [] : [textContent(asCode(command, "sh"))]),
    ...(diff === undefined ? [] : diffContents(title, diff)),
  ];
}

function optionsOf({ always }: PermissionQuestion): PermissionOption[] {
  return [
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
}

function answerOf(optionId: string): { decision: PermissionDecision } {
  return { decision: ALLOWING.find((decision) => decision === optionId) ?? "no" };
}

function asCode(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
