import type { ThreadHost } from "../../agent/index.ts";
import { CairnError } from "../../shared/errors.ts";
import { lastWithWords, pastSessions } from "../session/past-sessions.ts";
import type { ResumeWish } from "../session/sessions.ts";

/** A new thread, or the earlier one that was wished for. Throws not_found, invalid_input. */
export async function openThread(
  host: ThreadHost,
  resume: ResumeWish | undefined,
): Promise<string> {
  if (resume === undefined) return (await host.create()).threadId;
  if (resume.kind === "thread") {
    return lastWithWords(host.list(), host.find(resume.threadId)).threadId;
  }
  const [latest] = pastSessions(host.list(), undefined);
  if (latest !== undefined) return latest.threadId;
  throw new CairnError("not_found", "There is no earlier session in this project to go on with.");
}
