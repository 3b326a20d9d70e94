import { randomUUID } from "node:crypto";
import { sessionAsHtml } from "../export/session-as-html.ts";
import { sessionAsMarkdown } from "../export/session-as-markdown.ts";
import type { HostServices } from "./host-services.ts";
import type { ThreadRegistry } from "./thread-registry.ts";

/** The threads of a host as sessions, for slash commands; `threads` is there from the first call on. */
export function threadSessions(threads: () => ThreadRegistry): HostServices["sessions"] {
  return {
    list: () => threads().list(),
    fork: async (threadId, title) => {
      const thread = threads().toChange(threadId);
      const named = { threadId: randomUUID(), ...(title !== undefined && { title }) };
      return threads().adopt(await thread.copy(named));
    },
    rename: async (threadId, title) => {
      const thread = threads().toChange(threadId);
      await thread.rename(title);
      if (!thread.isBusy) await thread.release();
    },
    write: async (threadId, format) => {
      const thread = threads().get(threadId);
      const session = { ...thread.info, messages: await thread.messages() };
      return format === "html" ? sessionAsHtml(session) : sessionAsMarkdown(session);
    },
    keep: (record, messages) => {
      const kept = record.copy({ threadId: randomUUID() }, messages);
      kept.saveState({ isKept: true });
      return threads().adopt(kept);
    },
  };
}
