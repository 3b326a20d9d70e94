import type { ItemRecord } from "../listing/item.schema.ts";
import type { Memory } from "../memory.ts";
import { type ContextItem, describeDispute } from "./block.ts";
import type { MomentRequest } from "./moment-of-use.ts";

const MAX_READ = 12;
const MAX_PASSAGES = 4;
const INFORMATIVE_TYPES = ["decision", "preference", "outcome"] as const;

type FileContextRequest = Pick<
  MomentRequest,
  "ownSource" | "timeoutMs" | "clock" | "signal" | "symbols"
>;

export async function loadFileContext(
  memory: Memory,
  file: string,
  request: FileContextRequest,
): Promise<ContextItem[]> {
  const options = executeOptions(request);
  const [first, second] = fileEntities(file);
  const items: ItemRecord[] = [];
  for (const entity of [first, second]) {
    if (entity === undefined) continue;
    for (const question of [
      { kinds: ["fact"] as const },
      { kinds: ["episode"] as const, type: [...INFORMATIVE_TYPES] },
    ]) {
      const found = await memory.execute(
        "items",
        { ...question, kinds: [...question.kinds], entity, limit: MAX_READ },
        options,
      );
      items.push(...found.items);
    }
  }
  return [...selectItems(items), ...(await recallPassages(memory, file, request))];
}

function fileEntities(file: string): readonly string[] {
  const name = file.split("/").at(-1) ?? file;
  // Commas separate entities in text lists.
  const isName = (path: string) => path !== "" && !path.includes(",");
  return [...new Set([file, name])].filter(isName).map((path) => `file:${path}`);
}

const TYPE_RANK: Readonly<Record<string, number>> = {
  decision: 1,
  preference: 1,
  outcome: 2,
  fact: 3,
};

export function selectItems(items: readonly ItemRecord[]): ContextItem[] {
  const getRank = ({ type, open_conflicts: disputes }: ItemRecord) =>
    disputes.length > 0 ? 0 : (TYPE_RANK[type] ?? TYPE_RANK.fact ?? 0);
  return items
    .filter(({ status }) => status !== "superseded")
    .map((item) => ({ item, rank: getRank(item) }))
    .sort((a, b) => a.rank - b.rank || b.item.at.localeCompare(a.item.at))
    .map(({ item }) => toContextItem(item));
}

function toContextItem(item: ItemRecord): ContextItem {
  const [dispute] = item.open_conflicts;
  return {
    id: item.episode_id ?? item.id,
    text: item.text,
    by: item.asserted_by,
    at: item.at,
    standing: dispute === undefined ? undefined : describeDispute(dispute),
  };
}

async function recallPassages(
  memory: Memory,
  file: string,
  request: FileContextRequest,
): Promise<ContextItem[]> {
  const { ownSource, timeoutMs, symbols = [] } = request;
  const { passages } = await memory.execute(
    "file_passages",
    {
      file,
      limit: MAX_PASSAGES,
      ...(symbols.length > 0 && { symbols: [...symbols] }),
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    },
    executeOptions(request),
  );
  if (passages.length === 0) return [];
  const own = ownSource && (await memory.execute("list_sources", { ...ownSource, limit: 1 }));
  const ownId = own?.sources[0]?.id;
  return passages
    .filter(({ source_id: id }) => id !== ownId)
    .map(({ id, text, by, occurred_at: at, replaced_by: replaced }) => ({
      ...{ id, text, by, at },
      standing: replaced === undefined ? undefined : `replaced by ${replaced}`,
    }));
}

function executeOptions({ signal, clock }: FileContextRequest) {
  return { ...(signal !== undefined && { signal }), clock };
}
