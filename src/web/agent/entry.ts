import type { ClientMessageToSend, ServerMessage } from "../../server/ui/index.ts";

type PayloadOf<Type extends ServerMessage["type"]> = Extract<
  ServerMessage,
  { type: Type }
>["payload"];

export type MessageToSend = ClientMessageToSend;
export type ThreadInfo = PayloadOf<"thread.list">["threads"][number];
export type Question = PayloadOf<"permission.ask">;
export type Turn = PayloadOf<"turn.list">["turns"][number];
export type Status = PayloadOf<"status">;
export type Usage = NonNullable<Status["usage"]>;
export type Task = NonNullable<Status["progress"]>[number];
export type Choice = NonNullable<Status["choices"]>[number];
export type Memory = NonNullable<Status["memories"]>[number];
export type Queued = PayloadOf<"queue.list">["messages"][number];
export type ThreadMemories = PayloadOf<"thread.told">;
export type CommandHelp = PayloadOf<"command.list">["commands"][number];
export type Ready = PayloadOf<"session.ready">;
export type HistoryEntry = PayloadOf<"thread.history">["entries"][number];
export type PlannedWork = PayloadOf<"task.list">;
export type SubagentNews = NonNullable<Status["subagent"]>;
export type ToolResult = PayloadOf<"tool.result">;
export type ChosenModel = PayloadOf<"thread.chosen">;
export type Changes = PayloadOf<"thread.changes">;
export type PermissionMode = Ready["permissionMode"];
export type Effort = NonNullable<ChosenModel["effort"]>;

/** A visible part of a thread, in order of arrival. */
export type Entry =
  | { readonly kind: "user"; readonly text: string; readonly state: "sent" | "queued" | "said" }
  | {
      readonly kind: "assistant" | "thinking";
      readonly text: string;
      /** True while text is still being appended. */
      readonly isOpen: boolean;
    }
  | Call
  | { readonly kind: "note"; readonly tone: NoteTone; readonly text: string }
  | { readonly kind: "print"; readonly text: string }
  | {
      readonly kind: "memory";
      readonly what: "memory" | "offer" | "learned";
      readonly text: string;
      readonly memories: readonly Memory[];
    };

export type NoteTone = "info" | "success" | "error" | "aborted";

export interface Call {
  readonly kind: "call";
  readonly callId: string;
  readonly name: string;
  readonly about: string;
  readonly args?: unknown;
  /** Last output lines of the running command. */
  readonly output?: string | undefined;
  readonly result?: Pick<ToolResult, "summary" | "diff" | "output" | "isError"> | undefined;
  readonly label?: string | undefined;
  /** Subagent that this call started. */
  readonly subagentId?: string;
}

/** A completion that replaces the typed text. */
export interface Offer {
  readonly insert: string;
  readonly title: string;
  readonly detail: string;
}

const MAX_ITEMS = 8;

/** Returns the commands that match the typed prefix; undefined if no command is being typed. */
export function offeredCommands(
  text: string,
  commands: readonly CommandHelp[],
): readonly Offer[] | undefined {
  const typed = /^\/([\w -]*)$/.exec(text)?.[1];
  if (typed === undefined) return undefined;
  return commands
    .filter(({ name }) => name.startsWith(typed) && name !== typed)
    .slice(0, MAX_ITEMS)
    .map(({ name, summary, usage = "" }) => ({
      insert: usage === "" ? `/${name}` : `/${name} `,
      title: `/${name} ${usage}`.trim(),
      detail: summary,
    }));
}

/** Returns the path typed after the `@` at the cursor; undefined if there is none. */
export function mentionAt(text: string, cursor: number): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - 512), cursor))?.[1];
}

export function offeredPaths(paths: readonly string[]): readonly Offer[] {
  return paths.slice(0, MAX_ITEMS).map((path) => ({
    insert: path.endsWith("/") ? `@${path}` : `@${path} `,
    title: path,
    detail: "",
  }));
}

export function complete(text: string, cursor: number, { insert }: Offer) {
  if (insert.startsWith("/")) return { text: insert, cursor: insert.length };
  const typed = mentionAt(text, cursor) ?? "";
  const before = text.slice(0, cursor - typed.length - 1) + insert;
  return { text: before + text.slice(cursor), cursor: before.length };
}
