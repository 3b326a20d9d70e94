import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../../shared/caller.ts";
import { isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { collectIds, statusOfBody } from "../http/index.ts";

export interface McpCall {
  readonly operation: string;
  readonly database: string;
  /** Ids of the items in the call. */
  readonly ids: readonly string[];
  /** Change id of a write. */
  readonly change: string | undefined;
  readonly status: number;
  readonly caller: Caller;
}

export type RecordCall = (call: McpCall) => Promise<void>;

export interface RecordedCall {
  readonly operation: string;
  readonly input: object;
}

/** Runs tool calls and records them, including failed ones. */
export class CallRecorder {
  readonly #note: RecordCall | undefined;
  readonly #of: Pick<McpCall, "database" | "caller">;

  constructor(note: RecordCall | undefined, of: Pick<McpCall, "database" | "caller">) {
    this.#note = note;
    this.#of = of;
  }

  async note({ operation, input }: RecordedCall, status: number, change?: string): Promise<void> {
    await this.#note?.({ ...this.#of, operation, ids: collectIds(input), change, status });
  }

  async during<Answer>(
    { operation, input }: RecordedCall,
    answer: (onChange: (change: string) => void) => Promise<Answer> | Answer,
  ): Promise<Answer> {
    let change: string | undefined;
    const note = (status: number) => this.note({ operation, input }, status, change);
    let answered: Answer;
    try {
      answered = await answer((stored) => {
        change = stored;
      });
    } catch (error) {
      await note(chooseStatus(error));
      throw error;
    }
    await note(statusOfResult(answered));
    return answered;
  }
}

function chooseStatus(error: unknown): number {
  if (isCairnError(error)) return statusOfBody({ ...error.toBody() }) ?? 500;
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  return (isPlainObject(data) ? statusOfBody(data) : undefined) ?? 400;
}

function statusOfResult(answer: unknown): number {
  const { isError, structuredContent } = (answer ?? {}) as Partial<CallToolResult>;
  if (isError !== true) return 200;
  const error = structuredContent?.error;
  return (isPlainObject(error) ? statusOfBody(error) : undefined) ?? 500;
}
