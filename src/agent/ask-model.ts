import { createModelClient, type LlmSettings } from "../llm/index.ts";

export interface Question {
  readonly system: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/**
 * Sends one prompt without tools and returns the text of the answer. Throws a CairnError to show.
 */
export async function askModel(
  settings: LlmSettings,
  { system, prompt, signal }: Question,
): Promise<string> {
  const { text } = await createModelClient(settings).answer({
    system,
    messages: [{ role: "user", content: prompt }],
    tools: [],
    signal,
  });
  return text.trim();
}
