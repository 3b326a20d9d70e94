import type { Tool } from "../tools/define-tool.ts";

/** Whose calls are judged. */
export interface Caller {
  readonly threadId: string;
  /** Real paths of the files that the thread has read or written; those of its calls are added. */
  readonly knownFiles: Set<string>;
  /** What the person has said so far; without it nothing counts as theirs. */
  readonly said?: () => string;
  /** Whether anything but the person's words has come into the conversation; default: it has. */
  readonly hasRead?: () => boolean;
  /** What of others an earlier run of the thread has read, which is still in its conversation. */
  readonly readOfOthers?: readonly string[];
  /** Told of all that is, to keep it with the thread. */
  readonly onRead?: (sources: readonly string[]) => void;
  /** Of a subagent. */
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
