import type { ExploredItem, FinishedItem, FinishedTool, Screen } from "./screen.ts";

const READ_KINDS: Readonly<Record<string, "file" | "search">> = {
  read: "file",
  skim: "file",
  filegrep: "search",
  grep: "search",
  glob: "search",
};

/** True for successful read-only calls, which are grouped in one row. */
export function isReadOnlyCall({ name, isError, diff }: FinishedTool): boolean {
  return Object.hasOwn(READ_KINDS, name) && !isError && diff === undefined;
}

export function groupFinishedReads(screen: Screen): Screen {
  if (screen.reads.length === 0) return screen;
  const finished = [...screen.finished, ...createExploredItems(screen.reads)];
  return { ...screen, reads: [], finished, unfoldedUpTo: 0 };
}

/** Groups calls by agent; single calls stay separate. */
function createExploredItems(reads: readonly FinishedTool[]): readonly FinishedItem[] {
  const labels = [...new Set(reads.map(({ contextLabel }) => contextLabel))];
  return labels.map((contextLabel) => {
    const tools = reads.filter((tool) => tool.contextLabel === contextLabel);
    const [first] = tools;
    if (first !== undefined && tools.length === 1) return first;
    const label = contextLabel === undefined ? {} : { contextLabel };
    return { kind: "explored", tools, unfolded: false, ...label } satisfies ExploredItem;
  });
}

export function groupReads(items: readonly FinishedItem[]): readonly FinishedItem[] {
  const grouped: FinishedItem[] = [];
  let reads: FinishedTool[] = [];
  for (const item of items) {
    if (item.kind === "tool" && isReadOnlyCall(item)) {
      reads.push(item);
      continue;
    }
    grouped.push(...createExploredItems(reads), item);
    reads = [];
  }
  return [...grouped, ...createExploredItems(reads)];
}

/** Such as `4 files, 2 searches`; a file read twice counts once. */
export function countReadOnlyCalls(tools: readonly FinishedTool[]): string {
  const files = new Set(
    tools.flatMap((tool) => (READ_KINDS[tool.name] === "file" ? [readPath(tool)] : [])),
  );
  const searches = tools.filter(({ name }) => READ_KINDS[name] === "search").length;
  const parts = [
    formatCount(files.size, "file", "files"),
    formatCount(searches, "search", "searches"),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export function describeReads(tools: readonly FinishedTool[]): string {
  return [...new Set(tools.map((tool) => tool.about || tool.name))].join(" · ");
}

function readPath({ about, location }: FinishedTool): string {
  return location ?? about;
}

function formatCount(count: number, one: string, many: string): string {
  if (count === 0) return "";
  return `${count} ${count === 1 ? one : many}`;
}
