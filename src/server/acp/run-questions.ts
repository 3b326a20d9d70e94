import type { PermissionQuestion } from "../../agent/index.ts";

/** Puts a question to the person, who need not answer it; resolves once the editor is done with it. */
type Show<Agent> = (agent: Agent, question: PermissionQuestion) => Promise<void> | undefined;

/**
 * What unattended runs that other processes work on ask for. It belongs to no session, so it shows in one
 * of the project's; what could not be shown, or was left open, comes again with the next look.
 */
export class RunQuestions<Agent> {
  readonly #open = new Map<
    string,
    { readonly agent: Agent; readonly question: PermissionQuestion }
  >();
  readonly #shown = new Set<string>();
  readonly #show: Show<Agent>;

  /** `show` answers undefined where no session is there to show it in. */
  constructor(show: Show<Agent>) {
    this.#show = show;
  }

  add(agent: Agent, question: PermissionQuestion): void {
    this.#open.set(question.questionId, { agent, question });
    this.look(agent);
  }

  /** Answered from wherever, or the run has ended. */
  remove(questionId: string): void {
    this.#open.delete(questionId);
  }

  /** A session of the agent's was opened, or somebody is at work in one. */
  look(agent: Agent): void {
    for (const [id, one] of this.#open) {
      if (one.agent !== agent || this.#shown.has(id)) continue;
      const shown = this.#show(agent, one.question);
      if (shown === undefined) return;
      this.#shown.add(id);
      void shown.finally(() => this.#shown.delete(id));
    }
  }
}
