import { DayField } from "../../components/day-field.tsx";
import { Icon } from "../../components/icon.tsx";
import { usePage } from "../../page.ts";
import { Facets } from "./facets.tsx";
import type { ItemsInput } from "./find-filter.ts";

interface FilterSheetProps {
  readonly filter: ItemsInput;
  readonly isOpen: boolean;
  onClose(): void;
}

/** All that can narrow the list: a day, and the values of each facet. */
export function FilterSheet({ filter, isOpen, onClose }: FilterSheetProps) {
  const { router } = usePage();
  const { since = "", until = "" } = router.place.value.query;
  const day = since !== "" && since === until ? since : "";
  return (
    <section
      class="facets"
      aria-label="Filters"
      data-open={isOpen}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) onClose();
      }}
    >
      <div class="sheet-head narrow-only">
        <h2>Filters</h2>
        <button type="button" class="icon-button" aria-label="Close the filters" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <fieldset>
        <legend>Day</legend>
        <DayField
          label="Day"
          value={day}
          onChange={(chosen) => router.setQuery({ since: chosen, until: chosen }, "push")}
        />
      </fieldset>
      <Facets filter={filter} />
      <button type="button" class="button primary narrow-only" onClick={onClose}>
        Show the list
      </button>
    </section>
  );
}
