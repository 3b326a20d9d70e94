import { describe, expect, it } from "vitest";
import { seesImages } from "../../src/llm/images.ts";
import { createModelClient, llmSettings, type ModelMessage } from "../../src/llm/index.ts";
import { SERVICE_NAMES, SERVICES } from "../../src/llm/profiles/services.ts";
import type { SeenRequest } from "./support/providers/index.ts";
import { startProxy } from "./support/proxy.ts";
import { signInToBedrock, signInToGoogle } from "./support/sign-in-to-clouds.ts";
import { type Settings, STRICT_SERVICES } from "./support/strict-services.ts";

const ELSEWHERE = "models.example.test";
const PICTURE = "iVBORw0KGgo=";
const QUESTION: ModelMessage = {
  role: "user",
  content: [
    { type: "text", text: "What is this?" },
    { type: "image", image: PICTURE, mediaType: "image/png" },
  ],
};

it("lists every selectable service", () => {
  const contained = new Set(STRICT_SERVICES.map(([_name, { provider }]) => provider));
  expect(SERVICE_NAMES.filter((name) => !contained.has(name))).toEqual([]);
});

/** Sends one request to a host name that only the proxy resolves. */
async function ask(
  service: { readonly baseUrl: string },
  settings: Settings,
): Promise<readonly string[]> {
  const proxy = await startProxy();
  const baseUrl = service.baseUrl.replace("127.0.0.1", ELSEWHERE);
  if (settings.provider === "bedrock") signInToBedrock({ baseUrl });
  if (settings.provider === "vertex") await signInToGoogle();
  const where = settings.provider === "bedrock" ? {} : { baseUrl };
  const client = createModelClient(
    llmSettings.parse({ ...where, apiKey: "k", maxRetries: 0, proxy: proxy.url, ...settings }),
  );
  const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
  const signal = AbortSignal.timeout(60_000);
  await client.answer({ system: "SYSTEM", messages: [QUESTION], tools, signal });
  return proxy.asked;
}

/** Returns the last request; capability queries come before. */
function lastQuestion(seen: readonly SeenRequest[]): string {
  return JSON.stringify(seen.at(-1)?.body);
}

/** Returns the field that requests caching, or undefined if the API caches automatically. */
function markOf({ provider = "openai", model, api }: Settings): string | undefined {
  const service = SERVICES[provider];
  const named = model ?? service.defaultModel;
  const isClaude = named.includes("claude-");
  if (isClaude && service.api === "bedrock") return "cache_control";
  if (isClaude && provider !== "openai") return "cache_control";
  return (api ?? service.api) === "responses" && (api !== undefined || provider === "azure")
    ? "prompt_cache_key"
    : undefined;
}

describe.each(STRICT_SERVICES)("%s", (_name, settings, start) => {
  it("is reached through the proxy, with images and caching as supported", async () => {
    await using service = await start();
    const asked = await ask(service, settings);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map((host) => host.replace(/:\d+$/, "")))).toEqual(new Set([ELSEWHERE]));

    const { provider = "openai", model } = settings;
    const sees = seesImages(model ?? SERVICES[provider].defaultModel, undefined);
    const questions = service.seen.filter(({ body }) => JSON.stringify(body).includes("SYSTEM"));
    const body = JSON.stringify(questions[0]?.body);
    expect(body.includes(PICTURE)).toBe(sees);
    const marker = markOf(settings);
    for (const form of ["cache_control", "prompt_cache_key"]) {
      expect([form, body.includes(`"${form}"`)]).toEqual([form, form === marker]);
    }
    expect(lastQuestion(service.seen)).toContain("What is this?");
  });
});
