import {
  type InputOf,
  type Memory,
  type OutputOf,
  type PassageRecord,
  type Progress,
  type SourceRecord,
  storedPassages,
  storedSources,
} from "../../../memory/index.ts";
import { yieldToEventLoop } from "../../../shared/async.ts";
import {
  type Acceptance,
  type ClaimKind,
  type ClaimMaker,
  type LearningPassage,
  learnFromPassages,
  type Verdict,
} from "../../learning/index.ts";
import { SOURCE_KEY } from "../decisions/read-decisions.ts";

type LearnedClaim = InputOf<"keep_learned">["claims"][number];
type UsableVerdict = Exclude<Verdict, { verdict: "refuse" }>;

const CLAIM_TYPES: Readonly<Record<ClaimKind, string>> = {
  decision: "decision",
  preference: "preference",
  fact: "fact",
  outcome: "outcome",
  failed_attempt: "outcome",
};
/** cairn's own threads are identified by id alone. */
const OWN_SOURCE_KIND = "cairn";

function createClaim(
  judged: UsableVerdict,
  { kind, key }: Pick<SourceRecord, "kind" | "key">,
): LearnedClaim {
  const { claim, verdict } = judged;
  return {
    content: claim.text,
    episode_type: CLAIM_TYPES[claim.kind],
    ...(claim.files.length > 0 && { entities: claim.files.map((file) => `file:${file}`) }),
    labels: [`learned=${kind}`],
    source_type: "learning",
    asserted_by: claim.said_by === "user" ? "user" : kind,
    session: (kind === OWN_SOURCE_KIND ? key : `${kind}:${key}`).slice(0, 200),
    ...(claim.at !== undefined && { occurred_at: claim.at }),
    quotation: claim.quotation,
    evidence: [...claim.evidence],
    ...(claim.corrects && { corrects: true }),
    ...(claim.rejects.length > 0 && { rejects: [...claim.rejects] }),
    ...(claim.onlyReplaces === true && { only_if_replaces: true }),
    verdict,
    ...(judged.verdict === "propose" && { reason: judged.reason }),
  };
}

export interface LearnFromSources {
  readonly accept: Acceptance;
  readonly makers?: readonly ClaimMaker[];
  readonly source?: string | undefined;
  readonly isAgain?: boolean;
  readonly isDry?: boolean;
  readonly run: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

type StoredClaim = OutputOf<"keep_learned">["kept"][number];

export interface LearnedFromSources {
  readonly sources: number;
  readonly passages: number;
  readonly kept: readonly (FoundClaim & Omit<StoredClaim, "index">)[];
  readonly proposed: readonly (FoundClaim & { readonly id: string })[];
  /** Claims that repeat an active or superseded item. */
  readonly known: number;
  readonly changes: readonly string[];
}

export interface FoundClaim {
  readonly source: string;
  readonly claim: LearnedClaim;
}

const MAX_BATCH_SIZE = 1_000;
/** Earlier passages included as context. */
const CONTEXT_PASSAGES = 20;

/**
 * Learns from new source content, by time across sessions. Stores accepted claims with what they
 * replace and queues proposed ones for review. Safe to repeat after an interruption.
 */
export async function learnFromSources(
  memory: Memory,
  options: LearnFromSources,
): Promise<LearnedFromSources> {
  const { signal, onProgress } = options;
  const sources = await selectSources(memory, options);
  const found: FoundClaim[] = [];
  const through: { source_id: string; passage_id: string }[] = [];
  let passages = 0;
  for (const [done, source] of sources.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ stage: "Learning", done, total: sources.length });
    const one = await learnFrom(memory, source, options);
    found.push(...one.found);
    passages += one.passages;
    if (one.last !== undefined) through.push({ source_id: source.id, passage_id: one.last });
    await yieldToEventLoop();
  }
  found.sort((a, b) => getTime(a).localeCompare(getTime(b)));
  const stored = await storeAll(memory, { found, through }, options);
  return { sources: sources.length, passages, ...stored };
}

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

const getTime = ({ claim }: FoundClaim) => claim.occurred_at ?? "";

async function selectSources(
  memory: Memory,
  { source, isAgain, signal }: LearnFromSources,
): Promise<SourceRecord[]> {
  const chosen: SourceRecord[] = [];
  for await (const one of listSources(memory, source, signal)) {
    const speaks = one.kind !== "git" && one.kind !== SOURCE_KEY;
    const isNew = one.passages > 0 && (isAgain === true || one.unlearned > 0);
    if (speaks && isNew) chosen.push(one);
  }
  return chosen;
}

async function* listSources(
  memory: Memory,
  id: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceRecord> {
  if (id === undefined) yield* storedSources(memory, withSignal(signal));
  else {
    const input = { source_id: id, limit: 1 };
    yield (await memory.execute("get_source", input, withSignal(signal))).source;
  }
}

interface FoundInSource {
  readonly found: readonly FoundClaim[];
  readonly passages: number;
  readonly last: string | undefined;
}

async function learnFrom(
  memory: Memory,
  source: SourceRecord,
  { accept, makers, isAgain, signal }: LearnFromSources,
): Promise<FoundInSource> {
  const all: PassageRecord[] = [];
  for await (const batch of storedPassages(memory, source, withSignal(signal))) all.push(...batch);
  const from = isAgain === true ? 0 : getNumber(source.learned_through ?? "passage:0");
  const newIds = new Set(all.flatMap(({ id }) => (getNumber(id) > from ? [id] : [])));
  const first = all.findIndex(({ id }) => newIds.has(id));
  const read = toLearningPassages(
    first < 0 ? [] : all.slice(Math.max(0, first - CONTEXT_PASSAGES)),
  );
  const verdicts = await learnFromPassages(read, { accept, ...(makers && { makers }) });
  const found = verdicts.flatMap((judged): FoundClaim[] => {
    const [passageId] = judged.claim.evidence;
    if (judged.verdict === "refuse" || passageId === undefined || !newIds.has(passageId)) return [];
    return [{ source: source.id, claim: createClaim(judged, source) }];
  });
  return { found, passages: newIds.size, last: all.at(-1)?.id };
}

const getNumber = (id: string) => Number(id.slice(id.indexOf(":") + 1));

interface ClaimsToStore {
  readonly found: readonly FoundClaim[];
  readonly through: readonly { source_id: string; passage_id: string }[];
}

async function storeAll(
  memory: Memory,
  { found, through }: ClaimsToStore,
  { isDry = false, run, signal }: LearnFromSources,
): Promise<Pick<LearnedFromSources, "kept" | "proposed" | "known" | "changes">> {
  const stored: LearnedFromSources["kept"][number][] = [];
  const proposed: LearnedFromSources["proposed"][number][] = [];
  const changes: string[] = [];
  let known = 0;
  for (let start = 0; start < Math.max(found.length, through.length); start += MAX_BATCH_SIZE) {
    const batch = found.slice(start, start + MAX_BATCH_SIZE);
    const isLast = start + MAX_BATCH_SIZE >= found.length;
    const answer = await memory.execute(
      "keep_learned",
      {
        claims: batch.map(({ claim }) => claim),
        // Only sent with the last part, so an interrupted run starts over.
        ...(isLast && { through: [...through] }),
        dry_run: isDry,
      },
      { ...withSignal(signal), run, onChange: (change) => changes.push(change) },
    );
    for (const { index, ...one } of answer.kept) {
      const of = batch[index];
      if (of !== undefined) stored.push({ ...of, ...one });
    }
    for (const { index, id } of answer.proposed) {
      const of = batch[index];
      if (of !== undefined) proposed.push({ ...of, id });
    }
    known += answer.known.length;
    if (isLast) break;
  }
  return { kept: stored, proposed, known, changes };
}

type Passage = OutputOf<"get_source">["passages"][number];

function toLearningPassages(passages: readonly Passage[]): LearningPassage[] {
  let hasReadForeign = false;
  return passages.map(({ id, role, by, text, occurred_at: at, files }) => {
    const speaker = role !== "turn" ? "tool" : by === "user" ? "user" : "assistant";
    if (speaker === "tool") hasReadForeign = true;
    if (speaker === "user") hasReadForeign = false;
    return { id, by: speaker, text, at, files, hasReadForeign };
  });
}
