import { randomUUID } from "node:crypto";
import { readdirSync, rmdirSync } from "node:fs";
import { toTimestamp } from "../../shared/clock.ts";
import {
  CairnError,
  invalidInput,
  isMissingFile,
  messageOf,
  stateConflict,
} from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { copiesOfThreads, nameOfThreadsCopy, noteThread } from "../copies/copy-of-thread.ts";
import { discardCopy } from "../copies/discard-copy.ts";
import { makeCopy } from "../copies/make-copy.ts";
import { shownChanges } from "../copies/shown-changes.ts";
import type { AgentEvent } from "../ports/events.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { CreateThreadOptions, ThreadHost, ThreadInfo } from "../ports/thread-host.ts";
import { findRecords } from "./find-records.ts";
import type { HostServices } from "./host-services.ts";
import { gone } from "./thread.ts";
import { ThreadFiles } from "./thread-files.ts";
import { checkThreadId } from "./thread-id.ts";

/** A thread that works in a copy: an agent of its own, which is opened with the first use. */
interface InCopy {
  readonly copy: ProjectCopy;
  /** As it was before the agent was opened. */
  readonly kept: ThreadInfo;
  opening?: Promise<ThreadHost>;
  host?: ThreadHost;
}

export interface ThreadsInCopiesOptions {
  readonly services: Pick<
    HostServices,
    "clock" | "dataDir" | "logger" | "openBeside" | "projectRoot"
  >;
  readonly maxThreads: number;
  /** Hears of all that happens on them. */
  readonly publish: (event: AgentEvent) => void;
  /** Is told of an agent that was opened, before anything happens there. */
  readonly onOpened: (host: ThreadHost) => void;
}

/** The threads of a project that work in copies of it, each in one of its own. */
export class ThreadsInCopies {
  readonly #options: ThreadsInCopiesOptions;
  readonly #threads = new Map<string, InCopy>();

  constructor(options: ThreadsInCopiesOptions) {
    this.#options = options;
  }

  /** Those of earlier starts. */
  async restore(): Promise<void> {
    const { dataDir, projectRoot, clock, logger } = this.#options.services;
    for (const [threadId, copy] of copiesOfThreads(dataDir, projectRoot)) {
      const files = new ThreadFiles(dataDir, copy.tree);
      const now = () => toTimestamp(clock.now());
      const records = await findRecords({ files, now, logger });
      const state = records.find((record) => record.state.threadId === threadId)?.state;
      const { createdAt } = copy;
      const kept = {
        ...{ threadId, createdAt, updatedAt: state?.updatedAt ?? createdAt },
        ...{ messageCount: state?.messageCount ?? 0, isRunning: false, queued: 0 },
        ...(state?.title !== undefined && { title: state.title }),
        copy: { name: copy.name },
      };
      this.#threads.set(threadId, { copy, kept });
    }
  }

  has(threadId: string): boolean {
    return this.#threads.has(threadId);
  }

  list(): readonly ThreadInfo[] {
    return [...this.#threads.values()].map(({ host, kept }) => {
      return host?.list().find(({ threadId }) => threadId === kept.threadId) ?? kept;
    });
  }

  /** Those that were opened. */
  get hosts(): readonly ThreadHost[] {
    return [...this.#threads.values()].flatMap(({ host }) => host ?? []);
  }

  /** Undefined where nobody has used it since the start. */
  opened(threadId: string): ThreadHost | undefined {
    return this.#threads.get(threadId)?.host;
  }

  async create(options: CreateThreadOptions): Promise<ThreadInfo> {
    const threadId = checkThreadId(options.threadId ?? randomUUID());
    const known = this.#threads.get(threadId);
    if (known === undefined) {
      const { maxThreads, services } = this.#options;
      if (this.#threads.size >= maxThreads) {
        throw new CairnError(
          "too_large",
          `There are ${maxThreads} copies with threads already: take one over or throw it away, or raise "maxThreads".`,
        );
      }
      const { projectRoot: project, dataDir, clock } = services;
      const name = nameOfThreadsCopy(threadId);
      const copy = await makeCopy({ project, dataDir, clock, name });
      noteThread(copy, threadId);
      const at = toTimestamp(clock.now());
      const kept = {
        ...{ threadId, createdAt: at, updatedAt: at, messageCount: 0 },
        ...{ isRunning: false, queued: 0, copy: { name } },
      };
      this.#threads.set(threadId, { copy, kept });
    }
    return (await this.open(threadId)).create({ ...options, threadId });
  }

  async open(threadId: string): Promise<ThreadHost> {
    const found = this.#require(threadId);
    found.opening ??= this.#open(found).catch((error: unknown) => {
      delete found.opening;
      throw error;
    });
    return found.opening;
  }

  /** Throws invalid_input for a thread that works in the project itself. */
  copyOf(threadId: string): ProjectCopy {
    const found = this.#threads.get(threadId);
    if (found !== undefined) return found.copy;
    throw invalidInput(
      `The thread "${threadId}" works in the project itself, not in a copy of it.`,
    );
  }

  /** Throws conflict where there is work in its copy that nobody took over. */
  async delete(threadId: string): Promise<void> {
    const { changes } = await shownChanges(this.copyOf(threadId));
    if (changes.length > 0) {
      throw stateConflict(
        `The thread "${threadId}" works in a copy, and nobody took over what was done there: take it over, or throw it away.`,
      );
    }
    await this.discard(threadId);
  }

  /** Leaves nothing of it. */
  async discard(threadId: string): Promise<void> {
    const { copy } = this.#require(threadId);
    const host = await this.open(threadId);
    await host.delete(threadId);
    this.#threads.delete(threadId);
    await host.close();
    discardCopy(copy);
    const { dataDir, logger } = this.#options.services;
    removeIfEmpty(new ThreadFiles(dataDir, copy.tree).folder, logger);
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#threads.values()].map(async ({ opening }) => {
        const host = await opening?.catch(() => undefined);
        await host?.close();
      }),
    );
  }

  async #open(found: InCopy): Promise<ThreadHost> {
    const { services, publish, onOpened } = this.#options;
    const host = await services.openBeside({ copy: found.copy, surface: "server" });
    onOpened(host);
    host.subscribe((event) => {
      // What it left behind when its conversation began afresh is no thread that anybody knows of.
      if (event.threadId === found.kept.threadId) publish(event);
    });
    found.host = host;
    return host;
  }

  #require(threadId: string): InCopy {
    const found = this.#threads.get(threadId);
    if (found === undefined) throw gone(threadId);
    return found;
  }
}

function removeIfEmpty(folder: string, logger: Logger): void {
  try {
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  } catch (error) {
    if (!isMissingFile(error)) logger.warn(messageOf(error));
  }
}
