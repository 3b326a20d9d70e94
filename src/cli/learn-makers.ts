import type { App } from "../app/index.ts";
import type { ClaimMaker, ModelTally } from "../ingest/learning/index.ts";
import type { MemoryEngine } from "../memory/index.ts";
import type { CommandLine } from "./command-line.ts";

const PROGRAM_MS = 5 * 60_000;
/** Number of of the newest valid items a model is told. */
const MAX_KNOWN = 60;
const TYPES = ["decision", "preference", "fact"] as const;

export interface LearnMakers {
  /** Undefined: only the rules. */
  readonly makers: readonly ClaimMaker[] | undefined;
  readonly tally: ModelTally;
}

/** Who looks for claims according to `learn.with`: the rules, and a model or program as well. */
export async function learnMakers(
  line: CommandLine,
  memory: MemoryEngine,
  config: App["config"],
): Promise<LearnMakers> {
  const { settings, dataDir } = config;
  const { with: maker, budget } = settings.learn;
  const tally: ModelTally = { asked: 0, leftOut: 0, unreadable: 0 };
  if (maker === "rules") return { makers: undefined, tally };
  const { learnByRules, modelMaker } = await import("../ingest/learning/index.ts");
  const { askProgram, DayBudget } = await import("../ingest/sources/index.ts");
  const { signal } = line;
  const ask = async ({ system, prompt }: { readonly system: string; readonly prompt: string }) => {
    if (maker !== "provider") {
      const asked = { command: maker, env: line.env, timeoutMs: PROGRAM_MS, signal };
      return askProgram(asked, `${system}\n\n${prompt}\n`);
    }
    const { askModel } = await import("../agent/index.ts");
    return askModel(settings, { system, prompt, signal: signal ?? new AbortController().signal });
  };
  const model = modelMaker({
    ask,
    known: await knownTo(memory),
    maySpend: new DayBudget(dataDir, { tokens: budget, now: new Date() }).maySpend,
    tally,
  });
  return { makers: [(passages) => learnByRules(passages), model], tally };
}

async function knownTo(memory: MemoryEngine): Promise<readonly string[]> {
  const found: string[] = [];
  for (const type of TYPES) {
    const { episodes } = await memory.execute("list_episodes", {
      ...{ type, limit: MAX_KNOWN / TYPES.length },
    });
    found.push(...episodes.map(({ content }) => content.slice(0, 300)));
  }
  return found;
}
