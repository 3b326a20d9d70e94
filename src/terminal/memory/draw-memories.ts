import type { MemoriesItem } from "../state/screen.ts";
import type { Line, Style } from "../text/style.ts";
import { truncateLine, wrapText } from "../text/wrap.ts";

const DIM: Style = { color: "gray" };
const MARK: Style = { color: "magenta" };

export function drawMemories(item: MemoriesItem, width: number): readonly Line[] {
  const head: Line = [
    { text: "◆ ", style: MARK },
    { text: formatTitle(item), style: DIM },
  ];
  const rows = item.unfolded ? item.items.flatMap((memory) => drawMemory(memory, item, width)) : [];
  return [truncateLine(head, width), ...rows];
}

function formatTitle({ about, items, unfolded }: MemoriesItem): string {
  if (about === "offered") {
    const one = items.length > 1 ? ", /keep 2 saves one of them" : "";
    return `Save to memory? Ctrl-S saves ${items.length > 1 ? "all" : "it"}${one}`;
  }
  const count = items.length === 1 ? "1 memory" : `${items.length} memories`;
  if (unfolded) return `${count}; /wrong corrects, forgets or hides one`;
  const [first] = items;
  const beginning = first === undefined ? "" : `: ${first.text.replace(/\s+/g, " ")}`;
  return `${count}, Ctrl-O shows ${items.length === 1 ? "it" : "them"}${beginning}`;
}

function drawMemory(
  { id, text }: MemoriesItem["items"][number],
  { about }: MemoriesItem,
  width: number,
): readonly Line[] {
  const first = about === "offered" ? `  ${id} ` : "  · ";
  const shown = about === "offered" ? text : `${text} (${id})`;
  return wrapText(shown, { width, first: [{ text: first, style: DIM }], style: DIM });
}
