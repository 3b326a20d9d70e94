import type { CommandHelp, ThreadHost } from "../../agent/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { Theme } from "../theme/paint-of.ts";

/** Everything behind the screen, once it is there. */
export interface Connection {
  readonly host: ThreadHost;
  /** Undefined with `memory` "off". */
  readonly memory: Memory | undefined;
  /** Slash commands to offer, the user's own included. */
  readonly commands: readonly CommandHelp[];
  readonly theme?: Theme;
  /** A model and the key that it needs are set. */
  readonly hasModel: boolean;
  close(): Promise<void>;
}

/** Opens what is behind the screen; the terminal shows its prompt before it waits for this. */
export type Connect = (events: ConnectEvents) => Promise<Connection>;

export interface ConnectEvents {
  readonly onNotice: (message: string) => void;
  readonly isUnattended?: boolean;
}

/** The model that answers on a thread; undefined where none is set up. */
export function shownModel(
  { host, hasModel }: Connection,
  threadId: string | undefined,
): string | undefined {
  if (!hasModel) return undefined;
  const thread = host.list().find((info) => info.threadId === threadId);
  return thread?.model ?? host.info.model;
}
