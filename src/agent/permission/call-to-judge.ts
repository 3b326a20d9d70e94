import type { Tool } from "../tools/define-tool.ts";

export interface Caller {
  readonly threadId: string;
  /** Real paths of the files that the thread has read or written; those of its calls are added. */
  readonly knownFiles: Set<string>;
  readonly said?: () => string;
  /** True if anything but the person's words has come into the conversation; default: it has. */
  readonly hasRead?: () => boolean;
  readonly readOfOthers?: readonly string[];
  readonly onRead?: (sources: readonly string[]) => void;
  readonly contextLabel?: string;
}

/** A call that is about to run. */
export interface CallToJudge {
  readonly callId: string;
  readonly tool: Tool;
  /** It fits the tool's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}
