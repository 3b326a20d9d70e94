import { showControl } from "../../shared/text.ts";
import type { PermissionQuestion } from "../ports/permission-question.ts";
import type { ProjectPaths } from "../tools/project-paths.ts";
import type { Caller, CallToJudge } from "./call-to-judge.ts";
import { describe, type Judgement } from "./judge-call.ts";

const MAX_TITLE = 1_000;

/** One line of it: a question is no place for a page. */
function titleOf(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, MAX_TITLE) ?? "";
}

export async function questionOf(
  call: CallToJudge & Caller,
  { reason, always, isOutside }: Judgement,
  {
    paths,
    readBefore = [],
  }: { readonly paths: ProjectPaths; readonly readBefore?: readonly string[] | undefined },
): Promise<Omit<PermissionQuestion, "questionId">> {
  const { tool, input, threadId, callId, contextLabel } = call;
  const touches = tool.uses?.(input) ?? [];
  const command = touches.find((touch) => touch.kind === "command")?.command;
  const path = touches.find((touch) => "path" in touch)?.path;
  const shown = isOutside ? paths.withOutside() : paths;
  const called = tool.title?.(input) ?? command ?? path ?? tool.name;
  const whole = command ?? (titleOf(called) === called ? undefined : called);
  // A call that cannot be shown fails by itself once it runs.
  const diff = await tool.preview?.({ paths: shown }, input).catch(() => undefined);
  return {
    threadId,
    callId,
    tool: tool.name,
    title: showControl(titleOf(called)),
    ...(whole !== undefined && { command: showControl(whole) }),
    ...(diff !== undefined && diff !== "" && { diff: showControl(diff) }),
    reason: showControl(reason),
    always: always.map((rule) => showControl(describe(rule))),
    ...(readBefore.length > 0 && { readBefore: readBefore.map(showControl) }),
    ...(contextLabel !== undefined && { contextLabel }),
  };
}
