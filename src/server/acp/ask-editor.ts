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
/** Before the number of what is offered as an answer in words. */
const CHOICE = "choice-";
const OPEN = "open";

/** Where the editor shows it. */
export interface AskedIn {
  readonly sessionId: string;
  readonly cwd: string;
}

/**
 * Asks the person at the editor about a call, or what an unattended run wants to know. Undefined: the
 * editor gave no answer, or cannot ask.
 */
export async function askEditor(
  client: AgentContext,
  question: PermissionQuestion,
  { sessionId, cwd }: AskedIn,
): Promise<Pick<PermissionAnswer, "decision" | "message"> | undefined> {
  const { callId, tool, title, run } = question;
  const { kind } = describeToolCall(tool, {}, cwd);
  const asks = run === undefined ? `${tool} ${title}` : `${run.name}: ${title}`;
  try {
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall: {
        ...{ toolCallId: callId, title: asks, kind, status: "pending" },
        content: contentOf(question),
      },
      options: isOfRun(question) ? optionsOfRun(question) : optionsOf(question),
    });
    return outcome.outcome === "selected" ? answerOf(question, outcome.optionId) : undefined;
  } catch {
    // An editor that cannot ask has said nothing.
    return undefined;
  }
}

/** It waits, however long, and is answered from wherever; a call of a thread is not allowed by silence. */
export function isOfRun({ run, wants, isUnattended }: PermissionQuestion): boolean {
  return run !== undefined || wants === "words" || isUnattended === true;
}

function contentOf(question: PermissionQuestion): ToolCallContent[] {
  const { callId, command, diff, reason, title, wants, run } = question;
  const why = wants === "words" ? "" : reason;
  const by = `cairn run answer ${callId} ${wants === "words" ? '"words"' : "yes"}`;
  return [
    ...(run === undefined ? [] : [textContent(`The unattended run ${run.id} asks.`)]),
    ...(why === "" ? [] : [textContent(`It asks because ${why}.`)]),
    ...(command === undefined ? [] : [textContent(asCode(command, wants === "words" ? "" : "sh"))]),
    ...(diff === undefined ? [] : diffContents(title, diff)),
    ...(isOfRun(question) ? [textContent(`From a terminal: \`${by}\`.`)] : []),
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

/** An editor has no field for words: what most answers are is offered, others come from a terminal. */
function optionsOfRun({ wants, choices = [] }: PermissionQuestion): PermissionOption[] {
  const allowing: PermissionOption[] =
    wants === "words"
      ? choices.map(({ label }, at) => ({
          optionId: `${CHOICE}${at}`,
          name: label,
          kind: "allow_once",
        }))
      : [{ optionId: "once", name: "Allow once", kind: "allow_once" }];
  return [
    ...allowing,
    { optionId: "no", name: wants === "words" ? "No answer: go on" : "No", kind: "reject_once" },
    { optionId: OPEN, name: "Leave it open", kind: "reject_once" },
  ];
}

function answerOf(
  { choices = [] }: PermissionQuestion,
  optionId: string,
): { decision: PermissionDecision; message?: string } | undefined {
  if (optionId === OPEN) return undefined;
  const choice = optionId.startsWith(CHOICE)
    ? choices[Number(optionId.slice(CHOICE.length))]
    : undefined;
  if (choice !== undefined) return { decision: "once", message: choice.label };
  return { decision: ALLOWING.find((decision) => decision === optionId) ?? "no" };
}

/** As code, since an editor would take signs of Markdown out of it. */
function asCode(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
