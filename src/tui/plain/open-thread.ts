import type { ThreadHost } from "../../agent/index.ts";
import { CairnError } from "../../kernel/errors.ts";
import { findSession, pastSessions } from "../session/past-sessions.ts";
import type { ResumeWish } from "../session/terminal-session.ts";

/** A new thread, or the earlier one that was wished for. Throws not_found. */
export async function openThread(
  host: ThreadHost,
  resume: ResumeWish | undefined,
): Promise<string> {
  if (resume === undefined) return (await host.create()).threadId;
  const threads = pastSessions(host.list(), undefined);
  const found = resume.kind === "thread" ? findSession(threads, resume.threadId) : threads[0];
  if (found !== undefined) return found.threadId;
  throw new CairnError("not_found", "There is no such session in this project to go on with.");
}
