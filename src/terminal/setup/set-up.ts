import type { Service } from "../../agent/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { stripControlLine } from "../../shared/text.ts";
import type { SessionPort, Setup } from "../session/local-commands.ts";

interface ProviderChoice {
  readonly provider: string;
  readonly label: string;
  readonly needsKey: boolean;
  readonly keyVariable?: string;
  /** Example address; asks for the customer-specific one. */
  readonly exampleUrl?: string;
  readonly keyPage?: string;
  readonly model: string;
}

interface PreferredProvider {
  readonly label: string;
  readonly asksForAddress?: true;
}

const PREFERRED_PROVIDERS: Readonly<Record<string, PreferredProvider>> = {
  ollama: { label: "Ollama" },
  anthropic: { label: "Anthropic, with an API key" },
  openai: { label: "OpenAI, with an API key" },
  google: { label: "Google, with an API key" },
  "openai-compatible": {
    label: "Any OpenAI-compatible server, by its URL",
    asksForAddress: true,
  },
};

type KnownServices = Readonly<Record<string, Service>>;

function listFirstChoices(services: KnownServices): readonly ProviderChoice[] {
  return Object.entries(PREFERRED_PROVIDERS).flatMap(([provider, { label, asksForAddress }]) => {
    const service = services[provider];
    if (service === undefined) return [];
    const exampleUrl = asksForAddress === true ? service.baseUrl : undefined;
    return [
      {
        ...createChoice(provider, service),
        label,
        ...(exampleUrl !== undefined && { exampleUrl }),
      },
    ];
  });
}

function listServiceChoices(services: KnownServices): readonly ProviderChoice[] {
  return Object.entries(services)
    .filter(([provider]) => !Object.hasOwn(PREFERRED_PROVIDERS, provider))
    .map(([provider, service]) => createChoice(provider, service));
}

function createChoice(provider: string, service: Service): ProviderChoice {
  const { label, defaultModel: model, keyVariable, exampleUrl, keyPage } = service;
  return {
    ...{ provider, label, model },
    needsKey: keyVariable !== undefined && service.keyIsOptional !== true,
    ...(keyVariable !== undefined && { keyVariable }),
    ...(exampleUrl !== undefined && { exampleUrl }),
    ...(keyPage !== undefined && { keyPage }),
  };
}

const OLLAMA_URL = "http://127.0.0.1:11434";
/** Limit for a busy server; without a server the connection is refused immediately. */
const RESPONSE_TIMEOUT_MS = 3_000;

async function findOllama(url = OLLAMA_URL): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${url}/api/tags`, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const body: unknown = await response.json();
    if (!response.ok || !isPlainObject(body) || !Array.isArray(body.models)) return undefined;
    return body.models
      .map((model: unknown) => (isPlainObject(model) ? model.name : undefined))
      .filter((name) => typeof name === "string")
      .map(stripControlLine);
  } catch {
    return undefined;
  }
}

export interface SetupPort {
  /**
   * Adds settings to the user's config file (mode 0600) and returns its path. Throws on failure.
   */
  readonly save: (changes: Readonly<Record<string, string | undefined>>) => string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly services: KnownServices;
  readonly listModels?: ListModels;
  readonly ollamaUrl?: string;
}

export type ListModels = (provider: {
  readonly provider: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
}) => Promise<readonly string[]>;

const WELCOME_TEXT = [
  "**Welcome to cairn**, a coding agent that remembers.",
  "",
  "The agent needs a language model. The memory does not: `/remember`, `/recall` and `/conflicts` work without one. Press Esc to skip this step; `/setup` returns to it.",
  "",
  "In the shell, use `cairn recall`, `cairn remember` and `cairn ui`. `cairn connect` adds the memory to another agent.",
].join("\n");

const SKIPPED_TEXT = [
  "No model for now. These work without one:",
  "",
  "- `/remember the build needs Node 20` stores a note",
  "- `/recall build` finds it again",
  "- `/conflicts` lists contradictions",
  "",
  "`/setup` chooses a model.",
].join("\n");

export function createSetup(port: SetupPort): Setup {
  return async (session) => {
    session.note("print", WELCOME_TEXT);
    const models = await findOllama(port.ollamaUrl);
    const changes = await askForProvider(session, { port, models });
    if (changes === undefined) {
      session.note("print", SKIPPED_TEXT);
      return;
    }
    try {
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

type SettingChanges = Record<string, string>;

interface FoundOllama {
  readonly port: SetupPort;
  readonly models: readonly string[] | undefined;
}

interface SetupOption {
  readonly label: string;
  ask(): Promise<SettingChanges | undefined>;
}

async function askForProvider(
  session: SessionPort,
  found: FoundOllama,
): Promise<SettingChanges | undefined> {
  const { port, models } = found;
  const services = listServiceChoices(port.services);
  const [ollama, ...others] = listFirstChoices(port.services);
  const local: SetupOption[] =
    ollama === undefined
      ? []
      : [{ label: formatOllamaLabel(models), ask: () => askForOllama(session, ollama, models) }];
  const withKey = (choice: ProviderChoice): SetupOption => ({
    label: choice.label,
    ask: () => askForKey(session, choice, port),
  });
  const another: SetupOption = {
    label: `Another service: ${services.map(({ label }) => label).join(", ")}`,
    ask: async () => (await askForOne(session, "Which service?", services.map(withKey)))?.ask(),
  };
  const offers: readonly SetupOption[] = [
    ...findKeys(port).map((choice) => ({
      label: `${choice.label.replace(/, with an API key$/, "")}, with the key in ${choice.keyVariable}`,
      ask: () => askWithFoundKey(session, choice, port),
    })),
    ...(models === undefined ? [] : local),
    ...others.map(withKey),
    ...(services.length === 0 ? [] : [another]),
    ...(models === undefined ? local : []),
  ];
  return (await askForOne(session, "Which provider should the agent use?", offers))?.ask();
}

async function askForOne(
  session: SessionPort,
  question: string,
  offers: readonly SetupOption[],
): Promise<SetupOption | undefined> {
  const choices = offers.map(({ label }, index) => ({ key: String(index + 1), label }));
  const answer = await session.questions.ask(question, [...choices, { key: "s", label: "skip" }]);
  return offers[Number(answer) - 1];
}

const MAX_KEYS = 3;

function findKeys({ environment = {}, services }: SetupPort): readonly ProviderChoice[] {
  return [...listFirstChoices(services), ...listServiceChoices(services)]
    .filter(
      ({ keyVariable, exampleUrl }) =>
        keyVariable !== undefined && exampleUrl === undefined && Boolean(environment[keyVariable]),
    )
    .slice(0, MAX_KEYS);
}

async function askWithFoundKey(
  session: SessionPort,
  chosen: ProviderChoice,
  port: SetupPort,
): Promise<SettingChanges | undefined> {
  const { provider, keyVariable = "" } = chosen;
  const apiKey = port.environment?.[keyVariable];
  const model = await askForModel(session, await loadModels(port, { chosen, apiKey }));
  return model === undefined ? undefined : { provider, model };
}

async function loadModels(
  { listModels }: SetupPort,
  {
    chosen,
    baseUrl,
    apiKey,
  }: { chosen: ProviderChoice; baseUrl?: string | undefined; apiKey?: string | undefined },
): Promise<readonly string[]> {
  const { provider, model } = chosen;
  const names = await listModels?.({ provider, baseUrl, apiKey }).catch(() => undefined);
  if (names === undefined || names.length === 0) return [model];
  return names.includes(model) ? [model, ...names.filter((name) => name !== model)] : names;
}

function formatOllamaLabel(models: readonly string[] | undefined): string {
  if (models === undefined) return "Ollama (not running on this machine now)";
  return `Ollama, running on this machine with ${models.length} models, no key needed`;
}

async function askForOllama(
  session: SessionPort,
  chosen: ProviderChoice,
  models: readonly string[] = [],
): Promise<SettingChanges | undefined> {
  if (models.length === 0) {
    session.note("info", `Later: ollama pull ${chosen.model}`);
    return { provider: chosen.provider, model: chosen.model };
  }
  const model = await askForModel(session, models);
  return model === undefined ? undefined : { provider: chosen.provider, model };
}

async function askForKey(
  session: SessionPort,
  chosen: ProviderChoice,
  port: SetupPort,
): Promise<SettingChanges | undefined> {
  const { provider, exampleUrl } = chosen;
  const changes: SettingChanges = { provider };
  if (exampleUrl !== undefined) {
    const url = await session.questions.ask(`Base URL, for example ${exampleUrl}?`, []);
    if (url === undefined) return undefined;
    changes.baseUrl = url;
  }
  const hint = chosen.keyPage === undefined ? "" : ` Create one at ${chosen.keyPage}.`;
  const optional = chosen.needsKey ? "" : " Enter for none.";
  const key = await session.questions.askSecret(`API key?${hint}${optional}`, !chosen.needsKey);
  if (key === undefined) return undefined;
  if (key !== "-" && key !== "") changes.apiKey = key;
  const { baseUrl, apiKey } = changes;
  const model = await askForModel(session, await loadModels(port, { chosen, baseUrl, apiKey }));
  return model === undefined ? undefined : { ...changes, model };
}

const MAX_MODELS = 9;

async function askForModel(
  session: SessionPort,
  models: readonly string[],
): Promise<string | undefined> {
  for (let remaining = models; ; ) {
    const listed = remaining.slice(0, MAX_MODELS);
    const choices = listed.map((label, index) => ({ key: String(index + 1), label }));
    const more = remaining.length - listed.length;
    const question =
      more > 0
        ? `Which model? There are ${more} more: type part of the name.`
        : "Which model? Or type another name.";
    const answer = await session.questions.ask(question, choices);
    if (answer === undefined) return undefined;
    const chosen = listed[Number(answer) - 1];
    if (chosen !== undefined) return chosen;
    const found = models.filter((name) => name.toLowerCase().includes(answer.toLowerCase()));
    if (found.length < 2 || models.includes(answer)) {
      return models.includes(answer) ? answer : (found[0] ?? answer);
    }
    remaining = found;
  }
}
