import type { CommandHelp, ThreadHost } from "../../agent/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { Theme } from "../theme/paint.ts";

export interface Connection {
  readonly host: ThreadHost;
  readonly memory: Memory | undefined;
  /** Includes the user's own commands. */
  readonly commands: readonly CommandHelp[];
  readonly theme?: Theme;
  readonly hasModel: boolean;
  close(): Promise<void>;
}

export type Connect = (events: ConnectEvents) => Promise<Connection>;

export interface ConnectEvents {
  readonly onNotice: (message: string) => void;
  readonly isUnattended?: boolean;
}

export function formatModel(
  { host, hasModel }: Connection,
  threadId: string | undefined,
): string | undefined {
  if (!hasModel) return undefined;
  const thread = host.list().find((info) => info.threadId === threadId);
  return thread?.model ?? host.info.model;
}
