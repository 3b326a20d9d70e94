import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { invalidInput, notFound, stateConflict } from "../../kernel/errors.ts";
import { randomIds } from "../../kernel/ids.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { Undo, UndoableTurn, UndoReport, UndoWish } from "../ports/checkpoint.ts";
import { hashOf } from "./blob-store.ts";
import type { ProjectCheckpoints } from "./project-checkpoints.ts";
import { type MemoryReport, RememberedChanges } from "./remembered-changes.ts";
import { joinChanges, restoreFiles } from "./restore-files.ts";
import { readTurns, type TurnRecord } from "./turn-record.ts";
import { TurnWatch } from "./turn-watch.ts";

const KEPT_TURNS = 50;
const TEXT_LENGTH = 200;

/** The conversation that a turn is part of. */
export interface Conversation {
  readonly messages: readonly ModelMessage[];
  replace(messages: readonly ModelMessage[]): void;
  append(message: ModelMessage): void;
}

export interface ThreadCheckpointsOptions {
  readonly project: ProjectCheckpoints;
  readonly threadId: string;
  readonly memory: Memory | undefined;
  /** The present as it is stored. */
  readonly now: () => string;
  readonly conversation: () => Conversation;
}

/** The turns of one thread and what they changed. */
export class ThreadCheckpoints implements Undo {
  readonly #options: ThreadCheckpointsOptions;
  readonly #memory: RememberedChanges;

  constructor(options: ThreadCheckpointsOptions) {
    this.#options = options;
    this.#memory = new RememberedChanges({ memory: options.memory, session: options.threadId });
  }

  /**
   * Watches a turn, once `ready`; `end` keeps what it did. With `conversation` its messages can be
   * taken back.
   */
  begin(text: string, conversation: Conversation | undefined) {
    const watch = new TurnWatch(this.#options.project);
    const before = conversation?.messages;
    const at = this.#options.now();
    const newest = this.#memory.newest();
    const end = async (): Promise<void> => {
      const { files, folders } = await watch.end();
      const remembered = await this.#memory.since(await newest);
      const turn = { turnId: randomIds.next("turn_"), at, text: firstLine(text), files, folders };
      const place = before === undefined ? {} : { conversation: placeOf(before, conversation) };
      if (before === undefined && files.length === 0 && remembered === undefined) return;
      const earlier = this.#read().filter(({ undone }) => undone === undefined);
      const kept = { ...turn, ...place, ...(remembered !== undefined && { remembered }) };
      this.#write([...earlier, kept].slice(-KEPT_TURNS));
    };
    return { watch, end, ready: newest };
  }

  async turns(): Promise<readonly UndoableTurn[]> {
    const turns = this.#read().filter(({ undone }) => undone === undefined);
    return turns.map(({ turnId, at, text, files, remembered }) => ({
      turnId,
      at,
      text,
      files: files.length,
      remembered: remembered?.count ?? 0,
    }));
  }

  async undo(wish: UndoWish = {}): Promise<UndoReport> {
    const { scope = "both" } = wish;
    const all = this.#read();
    const chosen = chooseTurns(all, wish.turnId);
    const conversation = this.#options.conversation();
    const earlier = scope === "files" ? undefined : conversationBefore(chosen, conversation);
    if (scope === "conversation" && earlier === undefined) throw noConversation();
    const done = scope === "conversation" ? NOTHING : await this.#putBack(chosen);
    const { change, ...memory } = scope === "both" ? await this.#forget(chosen) : NOT_REMEMBERED;
    const undone = { undoId: randomIds.next("undo_"), scope, ...(change && { change }) };
    const kept = earlier === undefined ? {} : { messages: [...conversation.messages] };
    // Kept before the conversation is cut: a crash in between loses nothing.
    this.#write(
      all.map((turn) =>
        chosen.includes(turn)
          ? { ...turn, undone: turn === chosen[0] ? { ...undone, ...kept } : undone }
          : turn,
      ),
    );
    if (earlier !== undefined) conversation.replace(earlier);
    else if (done.files.length > 0) conversation.append(noteOf(done.files));
    const text = chosen[0]?.text ?? "";
    const conversed = earlier !== undefined;
    return { ...done, ...memory, text, turns: chosen.length, conversation: conversed };
  }

  async redo(): Promise<UndoReport> {
    const all = this.#read();
    // Several may have been undone one after the other; the earliest turn was undone last.
    const undoId = all.find(({ undone }) => undone !== undefined)?.undone?.undoId;
    if (undoId === undefined) throw notFound("There is nothing to bring back.");
    const chosen = all.filter(({ undone }) => undone?.undoId === undoId);
    const scope = chosen[0]?.undone?.scope;
    const done = scope === "conversation" ? NOTHING : await this.#bringAgain(chosen);
    const undoChange = chosen[0]?.undone?.change;
    const { change: _, ...memory } =
      undoChange === undefined ? NOT_REMEMBERED : await this.#memory.redo(undoChange);
    const messages = chosen[0]?.undone?.messages;
    if (messages !== undefined) this.#options.conversation().replace(messages);
    this.#write(
      all.map((turn) => {
        if (!chosen.includes(turn)) return turn;
        const { undone: _, ...rest } = turn;
        return rest;
      }),
    );
    const text = chosen[0]?.text ?? "";
    const conversed = messages !== undefined;
    return { ...done, ...memory, text, turns: chosen.length, conversation: conversed };
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  /** What the turns remembered, and what was remembered between them. */
  async #forget(turns: readonly TurnRecord[]): Promise<MemoryReport> {
    const ranges = turns.flatMap(({ remembered }) => remembered ?? []);
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (first === undefined || last === undefined) return NOT_REMEMBERED;
    return this.#memory.undo({ after: first.after, until: last.until });
  }

  #putBack(turns: readonly TurnRecord[]) {
    const { root, store } = this.#options.project;
    const changes = joinChanges(
      turns.map(({ files }) => files),
      root,
    );
    const folders = turns.flatMap((turn) => turn.folders);
    return restoreFiles({ root, store, changes, folders });
  }

  #bringAgain(turns: readonly TurnRecord[]) {
    const { root, store } = this.#options.project;
    const changes = joinChanges(
      turns.map(({ files }) => files),
      root,
    ).map(({ path, before, after }) => ({ path, before: after, after: before }));
    return restoreFiles({ root, store, changes, folders: [] });
  }

  get #path(): string {
    return this.#options.project.turnsFile(this.#options.threadId);
  }

  #read(): TurnRecord[] {
    return readTurns(this.#path);
  }

  #write(turns: readonly TurnRecord[]): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Without waiting for the disk, as the contents that it names are kept.
    const options = { mode: 0o600, fsync: false };
    writeFileAtomic.sync(this.#path, JSON.stringify(turns), options);
  }
}

const NOT_REMEMBERED: MemoryReport = { remembered: 0 };
const NOTHING = { files: [] as string[], notKept: [] as string[] };

function chooseTurns(all: readonly TurnRecord[], turnId: string | undefined) {
  const done = all.filter(({ undone }) => undone === undefined);
  if (done.length === 0) throw notFound("There is nothing to take back.");
  if (turnId === undefined) return done.slice(-1);
  const first = done.findIndex((turn) => turn.turnId === turnId);
  if (first === -1) throw invalidInput(`turnId: there is no turn "${turnId}" to take back.`);
  return done.slice(first);
}

function placeOf(before: readonly ModelMessage[], conversation: Conversation | undefined) {
  const now = conversation?.messages ?? [];
  const isPrefix = before.every((message, index) => message === now[index]);
  const place = { length: before.length, last: lastHash(before) };
  return isPrefix ? place : { ...place, messages: [...before] };
}

/** As it was before the first of the turns; undefined when nobody knows any more. */
function conversationBefore(
  turns: readonly TurnRecord[],
  { messages }: Conversation,
): readonly ModelMessage[] | undefined {
  const place = turns[0]?.conversation;
  if (place === undefined) return undefined;
  const prefix = messages.slice(0, place.length);
  const isSame = prefix.length === place.length && lastHash(prefix) === place.last;
  return isSame ? prefix : place.messages;
}

function lastHash(messages: readonly ModelMessage[]): string {
  return hashOf(JSON.stringify(messages.at(-1) ?? null));
}

function noteOf(files: readonly string[]): ModelMessage {
  const names = files.slice(0, 20).join(", ");
  const more = files.length > 20 ? ` and ${files.length - 20} more` : "";
  return {
    role: "user",
    content: `[cairn] The user took back your changes of ${names}${more}. Read them again.`,
  };
}

function noConversation() {
  return stateConflict(
    "The conversation before that message was cleared or summed up since: only its files can be " +
      "taken back (/undo files).",
  );
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, TEXT_LENGTH);
}
