import type {
  ExportedConflict,
  ExportedItem,
  ExportedMemory,
  Exporter,
} from "../exported-memory.ts";
import { formatDay, toMarkdownLine } from "../exported-memory.ts";

/** Entries stay short because clients load instruction files at every start. */
const MAX_ENTRY_CHARACTERS = 240;
const FACT_CLUSTER_TYPE = "fact_cluster";

export const claudeMd: Exporter = {
  name: "claude-md",
  summary: "a section of CLAUDE.md or AGENTS.md: preferences, decisions, facts, conflicts",
  form: "section",
  async *write(memory, { database, limit, now }) {
    const conflicts = await memory.openConflicts();
    const facts = memory.items("fact", "newest");
    const parts = [
      formatPart("Preferences", await listOfType(memory, "preference", limit)),
      formatPart("Decisions", await listOfType(memory, "decision", limit)),
      formatPart("Facts", await takeFirst(facts, isHeldTrue, limit)),
      formatPart("Concepts", await selectBestConcepts(memory, limit)),
      formatConflicts(conflicts.slice(0, limit)),
    ].filter((text) => text !== "");
    const day = formatDay(now.toISOString());
    const intro =
      parts.length === 0
        ? `The memory \`${database}\` is empty (${day}).`
        : `From the memory \`${database}\`, ${day}. \`cairn recall "…"\` finds more, \`cairn show ep:1\` shows an item with its history.`;
    const text = ["## Memory", intro, ...parts].join("\n\n");
    yield { path: "CLAUDE.md", text: `${text}\n` };
  },
};

const isHeldTrue = ({ status, open_conflicts: disputes }: ExportedItem): boolean =>
  status === "active" && disputes.length === 0;

function listOfType(memory: ExportedMemory, type: string, limit: number): Promise<ExportedItem[]> {
  return takeFirst(memory.items("episode", "newest", { type }), () => true, limit);
}

async function selectBestConcepts(memory: ExportedMemory, limit: number): Promise<ExportedItem[]> {
  const all = memory.items("concept", "newest");
  const found = await takeFirst(
    all,
    ({ type }) => type !== FACT_CLUSTER_TYPE,
    Number.POSITIVE_INFINITY,
  );
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

function formatPart(title: string, items: readonly ExportedItem[]): string {
  if (items.length === 0) return "";
  const entries = items.map((item) => {
    const lead = item.kind === "concept" ? `**${toMarkdownLine(item.title ?? "", 120)}**: ` : "";
    return `- ${lead}${toMarkdownLine(item.text, MAX_ENTRY_CHARACTERS)} (${item.id}, ${formatDay(item.at)})`;
  });
  return `### ${title}\n\n${entries.join("\n")}`;
}

function formatConflicts(conflicts: readonly ExportedConflict[]): string {
  if (conflicts.length === 0) return "";
  const entries = conflicts.map(
    ({ id, fact_a: a, fact_b: b }) =>
      `- ${id}: "${toMarkdownLine(a.statement, MAX_ENTRY_CHARACTERS)}" (${a.id}) against "${toMarkdownLine(b.statement, MAX_ENTRY_CHARACTERS)}" (${b.id})`,
  );
  return `### Open conflicts: rely on neither side until resolved\n\n${entries.join("\n")}`;
}
