import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { shownChanges, takeOver } from "../copies/shown-changes.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ChangesOfCopy, CopyMergeWish } from "../ports/thread-host.ts";
import type { ThreadRegistry } from "./thread-registry.ts";

/** The copy of the project that a host was opened in, if any: all its threads work there. */
export class OpenedCopy {
  readonly #copy: ProjectCopy | undefined;
  readonly #threads: ThreadRegistry;

  constructor(copy: ProjectCopy | undefined, threads: ThreadRegistry) {
    this.#copy = copy;
    this.#threads = threads;
  }

  async changes(threadId: string): Promise<ChangesOfCopy> {
    this.#threads.get(threadId);
    return shownChanges(this.#copyOf(threadId));
  }

  async merge(threadId: string, wish: CopyMergeWish): Promise<void> {
    const thread = this.#threads.toChange(threadId);
    if (thread.isBusy) throw stateConflict(`The thread "${threadId}" is at work: cancel it first.`);
    const message = await takeOver(this.#copyOf(threadId), wish);
    thread.emit({ type: "status", phase: "success", message });
    await thread.release();
  }

  /** It is thrown away by whoever made it. */
  refuseToDiscard(threadId: string): never {
    this.#threads.get(threadId);
    throw invalidInput(`The thread "${threadId}" has no copy of its own to throw away.`);
  }

  #copyOf(threadId: string): ProjectCopy {
    if (this.#copy !== undefined) return this.#copy;
    throw invalidInput(
      `The thread "${threadId}" works in the project itself, not in a copy of it.`,
    );
  }
}
