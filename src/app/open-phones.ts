import type { MemoryEngine } from "../memory/index.ts";
import { type DoorWatch, Phones, type WaitingInMemory } from "../phones/index.ts";
import type { App } from "./assemble-app.ts";
import type { OpenAgent } from "./open-agent.ts";

/** Of each kind; a phone shows no more. */
const MOST_SHOWN = 20;

/** The phones that may answer this agent. None is let in before somebody asks for it. */
export function openPhones(
  { config, logger }: App,
  { host, memory }: OpenAgent,
  watch?: DoorWatch,
): Phones {
  const { settings, dataDir } = config;
  return new Phones(dataDir, {
    host,
    settings,
    logger,
    waitingInMemory: () => waitingIn(memory),
    watch,
  });
}

/** What waits in memory, as far as a phone shows it: what is said, and nothing around it. */
export async function waitingIn(memory: MemoryEngine | undefined): Promise<WaitingInMemory> {
  if (memory === undefined || !(await memory.isThere())) return { conflicts: [], proposals: [] };
  const page = { status: "open", limit: MOST_SHOWN } as const;
  const [{ conflicts }, { proposals }] = await Promise.all([
    memory.execute("list_conflicts", page),
    memory.execute("list_proposals", page),
  ]);
  return {
    conflicts: conflicts.map(({ id, fact_a: a, fact_b: b }) => ({
      id,
      says: [a.statement, b.statement],
    })),
    proposals: proposals.map(({ id, content }) => ({ id, says: [content] })),
  };
}
