import type { Connection } from "./connection.ts";

/** The model that answers on a thread; undefined where none is set up. */
export function shownModel(
  { host, hasModel }: Connection,
  threadId: string | undefined,
): string | undefined {
  if (!hasModel) return undefined;
  const thread = host.list().find((info) => info.threadId === threadId);
  return thread?.model ?? host.info.model;
}
