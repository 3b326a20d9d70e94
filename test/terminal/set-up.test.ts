import { expect, it } from "vitest";
import { SERVICES } from "../../src/llm/index.ts";
import type { SessionPort } from "../../src/terminal/session/local-commands.ts";
import { createSetup, type SetupPort } from "../../src/terminal/setup/set-up.ts";

/** Runs the set-up with answers: the start of a label, a text, or undefined for Enter. */
async function setUp(
  port: Omit<SetupPort, "save" | "services">,
  ...answers: readonly (string | undefined)[]
) {
  const left = [...answers];
  const asked: string[] = [];
  let saved: Readonly<Record<string, string | undefined>> | undefined;
  const questions: Pick<SessionPort["questions"], "ask" | "askSecret"> = {
    async ask(question, choices) {
      asked.push([question, ...choices.map(({ label }) => label)].join(" | "));
      const answer = left.shift();
      return choices.find(({ label }) => label.startsWith(answer ?? "—"))?.key ?? answer;
    },
    async askSecret(question, isOptional) {
      asked.push(`${question}${isOptional === true ? " (optional)" : ""}`);
      return left.shift();
    },
  };
  const session: Pick<SessionPort, "note" | "connect"> = {
    note: () => undefined,
    connect: async () => undefined,
  };
  const setup = createSetup({
    ollamaUrl: "http://127.0.0.1:1",
    services: SERVICES,
    ...port,
    save: (changes) => {
      saved = changes;
      return "config.json";
    },
  });
  await setup({ ...session, questions } as SessionPort);
  return { asked, saved };
}

it("offers keys from the environment first, without storing them", async () => {
  const environment = { ANTHROPIC_API_KEY: "sk-1", GROQ_API_KEY: "gsk-1" };
  const listModels = async () => ["claude-haiku-4-5", "claude-sonnet-5-5"];
  const { asked, saved } = await setUp(
    { environment, listModels },
    "Anthropic, with the key in ANTHROPIC_API_KEY",
    "claude-haiku",
  );
  expect(asked[0]).toMatch(
    /\| Anthropic, with the key in ANTHROPIC_API_KEY \| Groq, with the key in GROQ_API_KEY \|/,
  );
  expect(asked[0]).toMatch(/Ollama \(not running on this machine now\) \| skip$/);
  expect(asked[1]).toContain("| claude-sonnet-5-5 | claude-haiku-4-5");
  expect(saved).toEqual({
    provider: "anthropic",
    model: "claude-haiku-4-5",
    apiKey: undefined,
    baseUrl: undefined,
  });
});

it("accepts Enter for no key, and searches models by part of the name", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `model-${index}`);
  const { asked, saved } = await setUp(
    { listModels: async () => names },
    "Any OpenAI-compatible server",
    "http://127.0.0.1:9/v1",
    "",
    "del-3",
    "model-31",
  );
  expect(asked[2]).toBe("API key? Enter for none. (optional)");
  expect(asked[3]).toContain("31 more");
  expect(asked[4]).toContain("| model-3 | model-30 |");
  expect(saved).toMatchObject({
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: undefined,
    model: "model-31",
  });
});

it("accepts services by name and asks for a customer-specific URL", async () => {
  const { asked, saved } = await setUp(
    { listModels: () => Promise.reject(new Error("no list")) },
    "Another service",
    "Azure OpenAI",
    "https://mine.openai.azure.com/openai/v1",
    "key",
    "my-deployment",
  );
  expect(asked[2]).toContain("https://NAME.openai.azure.com/openai/v1");
  expect(saved).toMatchObject({ provider: "azure", apiKey: "key", model: "my-deployment" });
});
