import { isAbsolute, join, relative } from "node:path";
import { invalidInput } from "../../shared/errors.ts";
import { replacePinnedFile } from "../documents/pinned-folder.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import type { ThreadInfo } from "../ports/thread-host.ts";
import { findThread } from "./find-thread.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: { name: "file.md" },
  summary: "Export this session as Markdown",
  immediate: true,
  async run({ dialogue, sessions, threadId, projectRoot }, args) {
    const info = sessions.list().find((one) => one.threadId === threadId);
    if (info === undefined || info.messageCount === 0) {
      dialogue.info("There is nothing to export yet.");
      return;
    }
    const name = chooseFileName(args, info.threadId);
    const path = isAbsolute(name) ? name : join(projectRoot, name);
    await replacePinnedFile(path, await sessions.write(info.threadId));
    dialogue.success(`Written to ${relative(projectRoot, path) || path}.`);
  },
};

function chooseFileName(args: string, threadId: string): string {
  const own = `cairn-session-${threadId.slice(0, 8)}`;
  if (args === "" || args === "md" || args === "markdown") return `${own}.md`;
  if (/\.(md|markdown)$/.test(args)) return args;
  throw invalidInput(`file: "${args}" does not end in .md.`);
}

export const fork: SlashCommand = {
  name: "fork",
  argument: { name: "title" },
  summary: "Continue in a copy of this session",
  immediate: true,
  async run({ dialogue, sessions, threadId }, args) {
    const current = sessions.list().find((info) => info.threadId === threadId);
    if (current === undefined || current.messageCount === 0) {
      dialogue.info("There is no conversation to fork yet.");
      return;
    }
    const forked = await sessions.fork(current.threadId, args === "" ? undefined : args);
    dialogue.success(`Forked as ${forked.threadId}.`);
    await sessions.resume?.(forked.threadId);
  },
};

export const rename: SlashCommand = {
  name: "rename",
  argument: { name: "title", required: "Enter a name for the session" },
  summary: "Rename this session",
  immediate: true,
  async run({ dialogue, sessions, threadId }, args) {
    if (threadId === undefined) {
      dialogue.info("There is no session to rename yet.");
      return;
    }
    await sessions.rename(threadId, args);
    dialogue.success(`This session is now called "${args}".`);
  },
};

export const resume: SlashCommand = {
  name: "resume",
  argument: { name: "id" },
  summary: "Resume an earlier session",
  immediate: true,
  async run({ dialogue, sessions, surface, threadId }, args) {
    if (sessions.resume === undefined) {
      dialogue.info(surface === "server" ? SERVER_HINT : CLI_HINT);
      return;
    }
    const others = sessions.list().filter((info) => info.threadId !== threadId);
    if (args !== "") await sessions.resume(findThread(others, args).threadId);
    else if (sessions.pick !== undefined) sessions.pick();
    else {
      const latest = [...others].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
      if (latest === undefined) dialogue.info("There is no other thread to continue.");
      else await sessions.resume(latest.threadId);
    }
  },
};

const SERVER_HINT =
  "Over the server, a client continues any thread by sending messages to it: thread.list shows them, thread.subscribe replays missed events.";
const CLI_HINT =
  "To continue an earlier thread with a single message, run cairn --resume ID; /sessions lists them.";

export const sessions: SlashCommand = {
  name: "sessions",
  summary: "List the sessions of this project and resume one",
  immediate: true,
  async run({ dialogue, sessions: others, threadId }) {
    if (others.pick !== undefined) {
      others.pick();
      return;
    }
    const threads = [...others.list()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    if (threads.length === 0) {
      dialogue.info("There are no other threads.");
      return;
    }
    dialogue.print(threads.map((info) => sessionLine(info, threadId)).join("\n"));
  },
};

function sessionLine(info: ThreadInfo, current: string | undefined): string {
  const marks = [
    ...(info.threadId === current ? ["this one"] : []),
    ...(info.isRunning ? ["running"] : []),
    ...(info.pendingPrompt === undefined ? [] : ["waits for a reply"]),
  ];
  const note = marks.length === 0 ? "" : ` [${marks.join(", ")}]`;
  const when = info.updatedAt.slice(0, 16).replace("T", " ");
  return `${info.threadId}  ${when}  ${info.messageCount} messages  ${info.title ?? ""}${note}`;
}
