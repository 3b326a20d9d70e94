import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "./item-list.ts";

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** All that match, not only those that are loaded. */
  readonly isAll: boolean;
  /** Row under the cursor; -1 for none. */
  readonly cursor: number;
  setCursor(index: number): void;
  choose(index: number, isRange: boolean): void;
  chooseAll(): void;
  clear(): void;
}

export function useSelection(key: string, rows: readonly Item[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [cursor, setCursor] = useState(-1);
  const state = useRef({ rows, cursor, chosen });
  state.current = { rows, cursor, chosen };
  const clear = useCallback(() => {
    setChosen(new Set());
    setAll(false);
  }, []);
  useEffect(() => {
    clear();
    setCursor(-1);
  }, [key, clear]);
  const choose = useCallback((index: number, isRange: boolean) => {
    const { rows: present, chosen: former, cursor: from } = state.current;
    const next = new Set(former);
    const [first, last] =
      isRange && from >= 0 ? [Math.min(from, index), Math.max(from, index)] : [index, index];
    const isAdding = !former.has(present[index]?.id ?? "");
    for (const { id } of present.slice(first, last + 1)) {
      if (isAdding) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
    setAll(false);
    setCursor(index);
  }, []);
  return { chosen, isAll, cursor, setCursor, choose, clear, chooseAll: () => setAll(true) };
}
