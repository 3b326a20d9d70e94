import { z } from "zod";
import type { LoadedConfig } from "../config/index.ts";
import type { ClaimMaker, ModelTally } from "../ingest/learning/index.ts";
import type { Memory } from "../memory/index.ts";
import { toTimestamp } from "../shared/clock.ts";
import type { Environment } from "../shared/environment.ts";
import { messageOf } from "../shared/errors.ts";
import type { App } from "./assemble-app.ts";

const MODEL_TIMEOUT_MS = 5 * 60_000;
/** Newest items shown to the model to avoid repetition. */
const MAX_KNOWN = 60;
const CLAIM_TYPES = ["decision", "preference", "fact"] as const;

interface LearnMakers {
  readonly makers: readonly ClaimMaker[] | undefined;
  readonly tally: ModelTally;
}

interface LearnContext {
  readonly config: LoadedConfig;
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the extractors configured by `learn.with`: rules, and optionally a model or program. */
export async function createLearnMakers(
  { config: { settings, dataDir }, env, signal }: LearnContext,
  memory: Memory,
): Promise<LearnMakers> {
  const { with: maker, budget } = settings.learn;
  const tally: ModelTally = { requests: 0, leftOut: 0, unreadable: 0 };
  if (maker === "rules") return { makers: undefined, tally };
  const { learnByRules, createModelMaker: modelMaker } = await import(
    "../ingest/learning/index.ts"
  );
  const { askProgram, DayBudget } = await import("../ingest/sources/index.ts");
  const requestModel = async ({
    system,
    prompt,
  }: {
    readonly system: string;
    readonly prompt: string;
  }) => {
    if (maker !== "provider") {
      const programOptions = { command: maker, env, timeoutMs: MODEL_TIMEOUT_MS, signal };
      return askProgram(programOptions, `${system}\n\n${prompt}\n`);
    }
    const { askModel } = await import("../agent/index.ts");
    const timeout = AbortSignal.timeout(MODEL_TIMEOUT_MS);
    const until = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    return askModel(settings, { system, prompt, signal: until });
  };
  const model = modelMaker({
    ask: requestModel,
    known: await loadKnownClaims(memory),
    maySpend: new DayBudget(dataDir, { tokens: budget, now: new Date() }).maySpend,
    tally,
  });
  return { makers: [(passages) => learnByRules(passages), model], tally };
}

async function loadKnownClaims(memory: Memory): Promise<readonly string[]> {
  const found: string[] = [];
  for (const type of CLAIM_TYPES) {
    const { episodes } = await memory.execute("list_episodes", {
      ...{ type, limit: MAX_KNOWN / CLAIM_TYPES.length },
    });
    found.push(...episodes.map(({ content }) => content.slice(0, 300)));
  }
  return found;
}

const queuedLearning = z.object({
  db: z.string(),
});
export type QueuedLearning = z.output<typeof queuedLearning>;

/**
 * Extracts claims from finished sessions with the configured model. A failure is logged; the next
 * session retries, since the passages stay unprocessed.
 */
export async function learnQueued(app: App, payload: unknown): Promise<void> {
  const memory = app.store.open(queuedLearning.parse(payload).db);
  const { config } = app;
  try {
    const { makers } = await createLearnMakers({ config, env: process.env }, memory);
    if (makers === undefined || !(await memory.isThere())) return;
    const { learnFromSources } = await import("../ingest/sources/index.ts");
    const run = `learn ${toTimestamp(new Date())}`;
    await learnFromSources(memory, { accept: config.settings.learn.accept, makers, run });
  } catch (error) {
    app.logger.warn(`Learning with learn.with failed: ${messageOf(error)}`);
  }
}
