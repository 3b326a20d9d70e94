import { Static, Text } from "ink";
import { drawItem } from "../cards/draw-item.ts";
import type { FinishedItem } from "../state/screen.ts";
import { type Paint, paintLine } from "../text/style.ts";

interface FinishedItemsProps {
  readonly items: readonly FinishedItem[];
  readonly paint: Paint;
  readonly columns: number;
}

/** Printed once and never drawn again, however long the conversation gets. */
export function FinishedItems({ items, paint, columns }: FinishedItemsProps) {
  return (
    <Static items={items as FinishedItem[]}>
      {(item, index) => (
        // An item never changes its place.
        <Text key={index}>
          {drawItem(item, items[index - 1], columns - 1)
            .map((line) => paintLine(line, paint))
            .join("\n")}
        </Text>
      )}
    </Static>
  );
}
