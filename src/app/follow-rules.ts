import {
  databasesOf,
  type InputOf,
  inputOfRule,
  inWordsOfRule,
  type Memory,
  type OutputOf,
} from "../memory/index.ts";
import { isCairnError, messageOf } from "../shared/errors.ts";
import type { App } from "./assemble-app.ts";
import { runRegularly } from "./run-regularly.ts";

const LOOKED_EVERY_MS = 60 * 60 * 1000;

export interface FollowOptions {
  /** Only this rule. */
  readonly rule?: string | undefined;
  /** Only in this database. */
  readonly db?: string | undefined;
  readonly isDry?: boolean;
  /** Only rules that no server has followed within a day. */
  readonly daily?: boolean;
}

/** What a rule of the settings did in one database, or would. */
export interface FollowedRule {
  readonly db: string;
  readonly rule: string;
  readonly action: "delete" | "purge";
  /** Undefined: it could not be followed there. */
  readonly did?: Did;
  /** Why not, in the words of the settings. */
  readonly problem?: string;
}

type Did = Omit<OutputOf<"retain">, "rule" | "action" | "id" | "left"> & {
  readonly changes: readonly string[];
};

/** Follows the rules of retention in the databases that they are about. */
export async function followRules(app: App, options: FollowOptions): Promise<FollowedRule[]> {
  const { isDry: dry_run = false, daily = false } = options;
  const { retentionRules: rules } = app.config.settings;
  const there = (await app.store.list()).map(({ name }) => name);
  const followed: FollowedRule[] = [];
  for (const [rule, settings] of Object.entries(rules)) {
    if (options.rule !== undefined && options.rule !== rule) continue;
    const input = { ...inputOfRule(rule, settings), dry_run, daily };
    const about = databasesOf(settings) ?? there;
    for (const db of about) {
      if (options.db !== undefined && options.db !== db) continue;
      const one = { db, rule, action: settings.then };
      if (!there.includes(db)) {
        const problem = `retentionRules.${rule}.databases: there is no database "${db}"`;
        followed.push({ ...one, problem });
        continue;
      }
      followed.push({ ...one, ...(await followIn(app.store.open(db), rule, input)) });
    }
  }
  return followed;
}

/** Until nothing is left that the rule is about: one change takes so many items at the most. */
async function followIn(
  memory: Memory,
  rule: string,
  input: InputOf<"retain">,
): Promise<Pick<FollowedRule, "did" | "problem">> {
  const changes: string[] = [];
  const first: string[] = [];
  let taken = 0;
  try {
    for (;;) {
      const { id, left, ...did } = await memory.execute("retain", input, {
        author: `rule:${rule}`,
      });
      if (id !== undefined) changes.push(id);
      if (first.length === 0) first.push(...did.first);
      taken += did.taken;
      if (left === 0 || input.dry_run === true) {
        const all = input.dry_run === true ? taken + left : taken;
        return { did: { ...did, taken: all, first, changes } };
      }
    }
  } catch (error) {
    if (!isCairnError(error) || !OF_THE_RULE.has(error.code)) throw error;
    return { problem: inWordsOfRule(rule, error.message) };
  }
}

/** A type or topic that this database does not have: others may. */
const OF_THE_RULE: ReadonlySet<string> = new Set(["invalid_input", "not_found"]);

/**
 * Has a server follow the rules once a day as long as it runs; of several servers on the same databases one
 * does. Returns the ending.
 */
export function followRulesDaily(app: App): () => Promise<void> {
  const { retentionRules: rules } = app.config.settings;
  if (app.store.isReadOnly || Object.keys(rules).length === 0) return async () => {};
  return runRegularly({
    everyMs: LOOKED_EVERY_MS,
    work: async () => tell(app, await followRules(app, { daily: true })),
    onError: (error) =>
      app.logger.warn(`The rules of retention were not followed: ${messageOf(error)}`),
  });
}

function tell({ logger }: App, followed: readonly FollowedRule[]): void {
  for (const { db, rule, action, did, problem } of followed) {
    if (problem !== undefined) logger.warn(`${db}: ${problem}`);
    if (did === undefined || did.skipped || did.taken + did.held === 0) continue;
    const what = action === "delete" ? "deleted" : "purged";
    const holds = did.held === 0 ? "" : `; ${did.held} stay under a legal hold`;
    logger.info(`${db}: the rule ${rule} ${what} ${did.taken} items${holds}`);
  }
}
