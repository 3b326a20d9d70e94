import { ActionButton } from "../../components/action-button.tsx";
import { MoreWrites } from "../../components/more-writes.tsx";
import type { Selection } from "./use-selection.ts";

interface BulkBarProps {
  readonly selection: Selection;
  readonly total: number | undefined;
  readonly loaded: number;
}

export function BulkBar({ selection, total = 0, loaded }: BulkBarProps) {
  const { isAll, chosen, chooseAll, clear } = selection;
  const count = isAll ? total : chosen.size;
  if (count === 0) return null;
  return (
    <div class="bulk" role="toolbar" aria-label="Actions on the selection">
      <strong>{count.toLocaleString("en")} selected</strong>
      {["reviewed", "label", "topic", "delete"].map((id) => (
        <ActionButton key={id} id={id} />
      ))}
      <MoreWrites targets={{ ids: isAll ? [] : [...chosen], count: chosen.size }} />
      {!isAll && total > loaded && (
        <button type="button" class="button" onClick={chooseAll}>
          All {total.toLocaleString("en")} that match
        </button>
      )}
      <button type="button" class="button quiet" onClick={clear}>
        Clear
      </button>
    </div>
  );
}
