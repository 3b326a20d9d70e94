import type {
  ExportedConflict,
  ExportedItem,
  ExportedMemory,
  Exporter,
} from "../exported-memory.ts";
import { formatDay, markdownLine } from "../exported-memory.ts";

/** Entries stay short because clients load instruction files at every start. */
const ENTRY_CHARS = 240;
const CLUSTER = "fact_cluster";

export const claudeMd: Exporter = {
  name: "claude-md",
  summary: "a section of CLAUDE.md or AGENTS.md: preferences, decisions, facts, conflicts",
  form: "section",
  async *write(memory, { database, limit, now }) {
    const conflicts = await memory.openConflicts();
    const facts = memory.items("fact", "newest");
    const parts = [
      part("Preferences", await ofType(memory, "preference", limit)),
      part("Decisions", await ofType(memory, "decision", limit)),
      part("Facts", await takeFirst(facts, isHeldTrue, limit)),
      part("Concepts", await bestConcepts(memory, limit)),
      conflictPart(conflicts.slice(0, limit)),
    ].filter((text) => text !== "");
    const day = formatDay(now.toISOString());
    const intro =
      parts.length === 0
        ? `The memory \`${database}\` is empty (${day}).`
        : `From the memory \`${database}\`, ${day}. \`cairn recall "…"\` finds more, \`cairn show ep:1\` shows an item with its history.`;
    const text = ["## What is remembered", intro, ...parts].join("\n\n");
    yield { path: "CLAUDE.md", text: `${text}\n` };
  },
};

const isHeldTrue = ({ status, open_conflicts: disputes }: ExportedItem): boolean =>
  status === "active" && disputes.length === 0;

function ofType(memory: ExportedMemory, type: string, limit: number): Promise<ExportedItem[]> {
  return takeFirst(memory.items("episode", "newest", { type }), () => true, limit);
}

async function bestConcepts(memory: ExportedMemory, limit: number): Promise<ExportedItem[]> {
  const all = memory.items("concept", "newest");
  const found = await takeFirst(all, ({ type }) => type !== CLUSTER, Number.POSITIVE_INFINITY);
  return found.sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0)).slice(0, limit);
}

async function takeFirst(
  items: AsyncIterable<ExportedItem>,
  isRequested: (item: ExportedItem) => boolean,
  limit: number,
): Promise<ExportedItem[]> {
  const found: ExportedItem[] = [];
  for await (const item of items) {
    if (isRequested(item)) found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

function part(title: string, items: readonly ExportedItem[]): string {
  if (items.length === 0) return "";
  const entries = items.map((item) => {
    const lead = item.kind === "concept" ? `**${markdownLine(item.title ?? "", 120)}**: ` : "";
    return `- ${lead}${markdownLine(item.text, ENTRY_CHARS)} (${item.id}, ${formatDay(item.at)})`;
  });
  return `### ${title}\n\n${entries.join("\n")}`;
}

function conflictPart(conflicts: readonly ExportedConflict[]): string {
  if (conflicts.length === 0) return "";
  const entries = conflicts.map(
    ({ id, fact_a: a, fact_b: b }) =>
      `- ${id}: "${markdownLine(a.statement, ENTRY_CHARS)}" (${a.id}) against "${markdownLine(b.statement, ENTRY_CHARS)}" (${b.id})`,
  );
  return `### Open conflicts: rely on neither side until resolved\n\n${entries.join("\n")}`;
}
