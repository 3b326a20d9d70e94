import { CairnError } from "../../kernel/errors.ts";
import type { AgentRun } from "./agent-run.ts";
import { handOver } from "./hand-over.ts";
import { RepetitionGuard } from "./repetition-guard.ts";
import { requestStep } from "./request-step.ts";
import { runToolCalls } from "./run-tool-calls.ts";

/**
 * Asks the model and runs its tools until it answers without a tool call. The history is valid
 * whatever happens. Returns the last answer; throws a CairnError to show, or the signal's reason.
 */
export async function runLoop(run: AgentRun): Promise<string> {
  const repetition = new RepetitionGuard();
  for (let step = 0; step < run.limits.maxSteps; step += 1) {
    run.signal.throwIfAborted();
    for (const text of await run.takeInput()) {
      run.history.append({ role: "user", content: text });
      repetition.reset();
    }
    const answer = await requestStep(run);
    if (answer.toolCalls.length === 0) return answer.text;

    const results = await runToolCalls(run, answer.toolCalls);
    run.history.append({ role: "tool", content: results.map(({ outcome }) => outcome) });
    run.signal.throwIfAborted();
    const repeated = repetition.findRepeated(results);
    if (repeated !== undefined) throw stuck(repeated);
    if (run.gauge.isFull(run.limits.handoverThreshold)) await handOver(run);
  }
  throw new CairnError(
    "conflict",
    `The run was stopped after ${run.limits.maxSteps} model requests. Send a message to go on, or ` +
      'raise "maxSteps" in the config.',
  );
}

function stuck(tool: string): CairnError {
  return new CairnError(
    "conflict",
    `The run was stopped: the model called ${tool} three times in a row with the same arguments ` +
      "and the same result. Tell it what to do instead.",
  );
}
