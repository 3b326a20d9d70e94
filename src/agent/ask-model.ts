import { createModelClient, type LlmSettings } from "../llm/index.ts";

export interface Question {
  readonly system: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** Returns the model's answer to one prompt without tools. Throws a CairnError. */
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
