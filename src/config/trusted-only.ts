import type { SettingLayer } from "./setting-layer.ts";

/** Whether a project may set this value though nobody trusts it; `user` is what the user has set. */
type Check = (value: unknown, user: unknown) => boolean;

const always: Check = () => true;

/**
 * What a project that somebody else wrote may set: nothing here runs commands, sends keys,
 * conversations or memories elsewhere, reads another database or opens this machine to others. A
 * setting that is not listed needs trust, so a new one is safe before anybody has thought of it.
 */
const HARMLESS: Readonly<Record<string, Check>> = {
  db: always,
  episodeTypes: always,
  maxContentBytes: always,
  maxChangesetOps: always,
  session: always,
  // Never to less care than the user takes.
  secrets: (value, user) => SECRETS.indexOf(value) >= SECRETS.indexOf(user ?? "mask"),
  "embedding.provider": (value) => value === "none" || value === "minilm",
  "embedding.timeoutMs": always,
  provider: (value, user) => value === (user ?? "openai"),
  model: always,
  contextWindow: always,
  maxRetries: always,
  idleTimeoutMs: always,
  maxSteps: always,
  parallelToolCalls: always,
  editMode: always,
  tools: (value, user) => user === undefined || isPartOf(value, user),
  memory: (value, user) => MEMORY.indexOf(value) <= MEMORY.indexOf(user ?? "on"),
  sandbox: (value, user) => confinement(value) >= confinement(user ?? "auto"),
  "permission.mode": (value, user) => MODES.indexOf(value) <= MODES.indexOf(user ?? "ask"),
  // What allows nothing may tighten; `combinedRules` sees to it that it does no more.
  "permission.rules": (value) => !JSON.stringify(value).includes('"allow"'),
  allowOutsideProject: (value) => value === false,
  hookTimeoutMs: always,
  handoverThreshold: always,
  "subagent.allowNestedSubagents": always,
  "subagent.maxDepth": always,
  planMode: always,
  taskImplementationMaxAttempts: always,
  maxThreads: always,
  maxQueuedMessages: always,
  port: always,
  uiPort: always,
  "limits.bodyBytes": always,
  "limits.frameBytes": always,
  "limits.outboundBytes": always,
  "limits.clients": always,
};

/** From the least to the most that an agent may do with the memory. */
const MEMORY: readonly unknown[] = ["off", "read", "on"];

/** From the strictest to the freest. */
const MODES: readonly unknown[] = ["plan", "ask", "edits", "auto"];

/** From the least to the most care. */
const SECRETS: readonly unknown[] = ["allow", "mask", "refuse"];

const CONFINEMENT: readonly unknown[] = ["off", "auto", "required"];

function confinement(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  return CONFINEMENT.indexOf(value);
}

/** A person at the command line sees which database answers; a model does not. */
const HARMLESS_WITHOUT_A_MODEL = new Set(["db"]);

export interface TrustQuestion {
  /** The user's own settings. */
  readonly user?: SettingLayer;
  /** A model will read and write what the settings name. */
  readonly forAgent?: boolean;
}

/** Keys of the layer that count only in a trusted project. */
export function trustedOnlyKeys(
  layer: SettingLayer,
  { user = new Map(), forAgent = false }: TrustQuestion = {},
): readonly string[] {
  return [...layer].flatMap(([key, { value }]) => {
    const isHarmless = HARMLESS[key]?.(value, user.get(key)?.value) ?? false;
    const isForPeople = forAgent && HARMLESS_WITHOUT_A_MODEL.has(key);
    return isHarmless && !isForPeople ? [] : [key];
  });
}

/** Whether the setting, or some values of it, count only in a trusted project. */
export function needsTrust(key: string): boolean {
  return HARMLESS[key] !== always || HARMLESS_WITHOUT_A_MODEL.has(key);
}

function isPartOf(value: unknown, whole: unknown): boolean {
  return (
    Array.isArray(value) && Array.isArray(whole) && value.every((item) => whole.includes(item))
  );
}
