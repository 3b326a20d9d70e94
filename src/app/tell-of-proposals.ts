import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import {
  digestText,
  ruleFor,
  type Waiting,
  waitingProposals,
  webhookBody,
  withContradictions,
} from "../deciding/index.ts";
import { outgoingFetch } from "../llm/index.ts";
import type { Memory } from "../memory/index.ts";
import { DurableQueue } from "../shared/durable-queue.ts";
import { CairnError, isCairnError, messageOf } from "../shared/errors.ts";
import { makeFolder } from "../shared/files.ts";
import type { App } from "./assemble-app.ts";
import { runRegularly } from "./run-regularly.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LOOKED_EVERY_MS = 60_000;
const PATIENCE_MS = 10_000;

const markSchema = z.object({
  /** The highest number that was told of. */
  last: z.number(),
  /** When all that waits was told last. */
  digest: z.number(),
});
type Mark = z.output<typeof markSchema>;

/** Has a server tell of proposals as long as it runs, where its settings ask for it. Returns the ending. */
export function tellOfProposalsRegularly(app: App): () => Promise<void> {
  const { webhook, accept } = app.config.settings.deciding;
  if (app.store.isReadOnly || (webhook === undefined && accept.length === 0)) return async () => {};
  return runRegularly({
    everyMs: LOOKED_EVERY_MS,
    work: () => tellOfProposals(app),
    onError: (error) =>
      app.logger.warn(`What waits for a decision was not told: ${messageOf(error)}`),
  });
}

/**
 * Accepts what a rule accepts, tells of what is new, and once a day of all that waits; of what is private
 * nobody is told, since others read the channel. What could not be
 * posted is kept in a queue of its own and posted later, in order.
 */
export async function tellOfProposals(app: App, now = new Date()): Promise<void> {
  const { webhook, owners, accept } = app.config.settings.deciding;
  const queue = new DurableQueue(join(app.config.dataDir, "webhook"));
  for (const { name } of await app.store.list()) {
    const memory = app.store.open(name);
    const all = await waitingProposals(memory, { owners, now });
    const waiting: Waiting[] = [];
    for (const one of all) if (!(await acceptByRule(memory, one, accept))) waiting.push(one);
    if (webhook === undefined || app.store.isPrivate(name)) continue;
    const mark = readMark(app, name);
    const fresh = waiting.filter(({ proposal }) => numberOf(proposal.id) > mark.last);
    const isDue = waiting.length > 0 && now.getTime() - mark.digest > DAY_MS;
    const told = isDue ? waiting : fresh;
    if (told.length === 0) continue;
    queue.add("webhook", { text: digestText(name, await withContradictions(memory, told)) });
    writeMark(app, name, {
      last: Math.max(mark.last, ...told.map(({ proposal }) => numberOf(proposal.id))),
      digest: isDue ? now.getTime() : mark.digest,
    });
  }
  if (webhook !== undefined) await postQueued(app, queue, webhook);
}

const numberOf = (id: string) => Number(id.slice(id.indexOf(":") + 1));

async function acceptByRule(
  memory: Memory,
  one: Waiting,
  rules: App["config"]["settings"]["deciding"]["accept"],
): Promise<boolean> {
  const rule = one.proposal.status === "open" ? ruleFor(one, rules) : undefined;
  if (rule === undefined) return false;
  const [tried] = await withContradictions(memory, [one]);
  if (tried === undefined || tried.against.length > 0) return false;
  const note = `Fits rule ${rule + 1} of deciding.accept and contradicts nothing.`;
  try {
    const { id } = one.proposal;
    await memory.execute("accept_proposal", { proposal_id: id, decided_by: "rule", note });
    return true;
  } catch (error) {
    // Somebody else has decided it meanwhile.
    if (isCairnError(error) && error.code === "conflict") return true;
    throw error;
  }
}

async function postQueued(app: App, queue: DurableQueue, webhook: string): Promise<void> {
  const { proxy, noProxy } = app.config.settings;
  const fetch = outgoingFetch({ proxy, noProxy, headers: {}, refused: new Set() });
  await queue.drain({
    perform: {
      webhook: async ({ payload }) => {
        const { text } = z.object({ text: z.string() }).parse(payload);
        await post(fetch, webhook, webhookBody(text));
      },
    },
    waits: (error) => isCairnError(error) && error.code === "unavailable",
    onFailed: ({ id }, error) => {
      app.logger.warn(
        `The webhook refused a message, put aside as ${id}.failed: ${messageOf(error)}`,
      );
    },
  });
}

/** Throws unavailable for what may go better later. Names neither the address nor the text. */
async function post(fetch: typeof globalThis.fetch, webhook: string, body: string): Promise<void> {
  const response = await fetch(webhook, {
    ...{ method: "POST", body, redirect: "manual" },
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  await response?.body?.cancel();
  if (response?.ok === true) return;
  const isPassing = response === undefined || response.status === 429 || response.status >= 500;
  const what = response === undefined ? "cannot be reached" : `answers ${response.status}`;
  throw new CairnError(isPassing ? "unavailable" : "conflict", `deciding.webhook ${what}.`);
}

function markFile({ config }: App, database: string): string {
  return join(config.dataDir, "told-proposals", `${encodeURIComponent(database)}.json`);
}

function readMark(app: App, database: string): Mark {
  const file = markFile(app, database);
  if (!existsSync(file)) return { last: 0, digest: 0 };
  const read = markSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return read.success ? read.data : { last: 0, digest: 0 };
}

function writeMark(app: App, database: string, mark: Mark): void {
  const file = markFile(app, database);
  makeFolder(join(file, ".."));
  writeFileAtomic.sync(file, JSON.stringify(mark), { mode: 0o600 });
}
