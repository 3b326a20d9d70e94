import { type ModelClient, SERVICES } from "../../llm/index.ts";
import type { ContextGauge } from "../loop/context-gauge.ts";
import type { AgentEventBody } from "../ports/events.ts";

/** System prompt, tools and a few files take more than half of it. */
const SMALLEST = 32_000;

interface WatchedRun {
  readonly client: ModelClient;
  readonly gauge: ContextGauge;
  readonly emit: (event: AgentEventBody) => void;
  readonly signal: AbortSignal;
}

/**
 * Asks how large the model's window is, unless that is known, and tells where it is too small. Nobody
 * waits for it: the size matters after the first answer.
 */
export function watchWindow({ client, gauge, emit, signal }: WatchedRun): void {
  if (gauge.window !== undefined) return;
  client.contextWindow(signal).then(
    (window) => {
      gauge.window = window;
      const warning = tooSmallWindow(client, window);
      if (warning !== undefined) emit({ type: "status", phase: "info", message: warning });
    },
    // Aborted: the next run asks again.
    () => undefined,
  );
}

/**
 * What a person should know of a model on their own machine that runs with too little room; services
 * say by themselves when a request is too long, Ollama leaves its beginning out without a word.
 */
function tooSmallWindow(
  { provider, model }: Pick<ModelClient, "provider" | "model">,
  window: number | undefined,
): string | undefined {
  if (SERVICES[provider].cutsSilently !== true) return undefined;
  if (window === undefined || window >= SMALLEST) return undefined;
  const tokens = window.toLocaleString("en");
  return `${model} runs with room for ${tokens} tokens, and forgets the beginning of what is longer; work on a project needs about 32,000. "contextWindow" (CAIRN_CONTEXT_WINDOW) asks for more, as far as the model and the memory of this machine allow.`;
}
