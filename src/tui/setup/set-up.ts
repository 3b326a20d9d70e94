import { messageOf } from "../../kernel/errors.ts";
import type { SessionPort, Setup } from "../session/session-port.ts";
import { findOllama } from "./find-ollama.ts";
import { PROVIDER_CHOICES, type ProviderChoice } from "./provider-choices.ts";

export interface SetupPort {
  /** Adds settings to the user's config file, mode 0600; returns its path. Throws when it cannot. */
  readonly save: (changes: Readonly<Record<string, string | undefined>>) => string;
  /** Where an Ollama would answer; default: its usual address on this machine. */
  readonly ollamaUrl?: string;
}

const WELCOME = [
  "**Welcome to cairn**, a coding agent that remembers.",
  "",
  "It needs a language model to work for you. The memory needs none: `/remember`, `/recall` and `/conflicts` work as they are. Esc skips this; `/setup` comes back to it.",
].join("\n");

const SKIPPED = [
  "No model for now. These work without one:",
  "",
  "- `/remember the build needs Node 20` keeps something",
  "- `/recall build` finds it again",
  "- `/conflicts` shows what contradicts itself",
  "",
  "`/setup` chooses a model.",
].join("\n");

/** Asks for a provider, a key and a model, writes the config, and connects with it. */
export function createSetup(port: SetupPort): Setup {
  return async (session) => {
    session.note("print", WELCOME);
    const models = await findOllama(port.ollamaUrl);
    const changes = await askForProvider(session, models);
    if (changes === undefined) {
      session.note("print", SKIPPED);
      return;
    }
    try {
      // The key and address of another provider are not for this one.
      const path = port.save({ apiKey: undefined, baseUrl: undefined, ...changes });
      session.note("success", `Saved in ${path}, readable by you only.`);
    } catch (error) {
      session.note("error", `${messageOf(error)} Nothing was changed.`);
      return;
    }
    await session.connect();
    session.note("info", "Ready. Ask something, or try /remember and /recall.");
  };
}

type Changes = Record<string, string>;

async function askForProvider(
  session: SessionPort,
  ollamaModels: readonly string[] | undefined,
): Promise<Changes | undefined> {
  const choices = PROVIDER_CHOICES.map((choice, index) => ({
    key: String(index + 1),
    label: choice.provider === "ollama" ? ollamaLabel(ollamaModels) : choice.label,
  }));
  const offered = [...choices, { key: "s", label: "skip" }];
  const answer = await session.ask("Which provider shall the agent use?", offered);
  const chosen = PROVIDER_CHOICES[Number(answer) - 1];
  if (chosen === undefined) return undefined;
  return chosen.provider === "ollama"
    ? askForOllama(session, chosen, ollamaModels)
    : askForKey(session, chosen);
}

function ollamaLabel(models: readonly string[] | undefined): string {
  if (models === undefined) return "Ollama (not running on this machine now)";
  return `Ollama, found on this machine with ${models.length} models, no key needed`;
}

async function askForOllama(
  session: SessionPort,
  chosen: ProviderChoice,
  models: readonly string[] = [],
): Promise<Changes | undefined> {
  if (models.length === 0) {
    session.note("info", `Later: ollama pull ${chosen.model}`);
    return { provider: chosen.provider, model: chosen.model };
  }
  const model = await askForModel(session, models.slice(0, 9));
  return model === undefined ? undefined : { provider: chosen.provider, model };
}

async function askForKey(
  session: SessionPort,
  chosen: ProviderChoice,
): Promise<Changes | undefined> {
  const { provider } = chosen;
  const changes: Changes = { provider };
  if (provider === "openai-compatible") {
    const url = await session.ask("Its base URL, for example http://127.0.0.1:8080/v1?", []);
    if (url === undefined) return undefined;
    changes.baseUrl = url;
  }
  const hint = chosen.keyPage === undefined ? "" : ` Keys are made at ${chosen.keyPage}.`;
  const optional = chosen.needsKey ? "" : " Enter - for none.";
  const key = await session.askSecret(`API key?${hint}${optional}`);
  if (key === undefined) return undefined;
  if (key !== "-") changes.apiKey = key;
  const model = await askForModel(session, [chosen.model]);
  return model === undefined ? undefined : { ...changes, model };
}

/** One of the offered models, or the name of another. */
async function askForModel(
  session: SessionPort,
  models: readonly string[],
): Promise<string | undefined> {
  const choices = models.map((label, index) => ({ key: String(index + 1), label }));
  const answer = await session.ask("Which model? Or write the name of another.", choices);
  return models[Number(answer) - 1] ?? answer;
}
