import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemWords } from "../../components/item-words.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import type { Item } from "./item-list.ts";

interface ItemRowProps {
  readonly item: Item;
  readonly isChosen: boolean;
  onOpen(): void;
  onChoose(isRange: boolean): void;
}

export function ItemRow({ item, isChosen, onOpen, onChoose }: ItemRowProps) {
  const { writer, drafts, router } = usePage();
  const foreseen = writer.foreseen.value.get(item.id);
  const processed = foreseen?.processed ?? item.processed;
  return (
    <>
      <span class="cell-check" role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${item.id}`}
          checked={isChosen}
          onClick={(event) => onChoose(event.shiftKey)}
        />
      </span>
      <div class="cell-main" role="gridcell" data-gone={foreseen?.isGone} onClick={onOpen}>
        <TypeBadge type={item.kind === "fact" ? "fact" : item.type} />
        <span class="row-text">
          <ItemWords
            of={item.kind === "entity" ? { ...item, text: mentionsOf(item) } : item}
            chars={300}
          />
        </span>
        <Marks of={item} />
        {drafts.has({ db: router.place.value.db, id: item.id }) && (
          <span class="mark warn">unsaved draft</span>
        )}
        {processed === false && <span class="dot" title="not reviewed" />}
        <Stored as="span" class="row-by" text={item.asserted_by ?? ""} />
        <Age at={item.at} />
      </div>
    </>
  );
}

function mentionsOf({ mention_count: count }: Item): string {
  return count === 1 ? "1 mention" : `${count} mentions`;
}
