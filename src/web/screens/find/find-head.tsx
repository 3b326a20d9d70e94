import { CopyMenu } from "../../components/copy-menu.tsx";
import { Icon } from "../../components/icon.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import { asCommand, chipsOf } from "./find-filter.ts";
import { KindTabs } from "./kind-tabs.tsx";
import { SaveFound } from "./save-found.tsx";
import { SearchField } from "./search-field.tsx";

interface FindHeadProps {
  readonly total: number | undefined;
  onFilter(): void;
}

export function FindHead({ total, onFilter }: FindHeadProps) {
  const { router } = usePage();
  const { db, query } = router.place.value;
  const { sel: _sel, ...narrowing } = query;
  const chips = chipsOf(narrowing);
  return (
    <div class="find-top">
      <div class="find-head">
        <SearchField text={query.q ?? ""} />
        <select
          aria-label="Order"
          value={query.sort ?? "newest"}
          onChange={({ currentTarget }) => router.setQuery({ sort: currentTarget.value }, "push")}
        >
          <option value="newest">newest first</option>
          <option value="oldest">oldest first</option>
          <option value="updated">last changed first</option>
        </select>
        <button type="button" class="button narrow-only" onClick={onFilter}>
          Filters{chips.length > 0 && ` (${chips.length})`}
        </button>
        <span class="total" role="status">
          {total === undefined
            ? ""
            : `${total.toLocaleString("en")} ${total === 1 ? "item" : "items"}`}
        </span>
        <CopyMenu
          of={[
            { title: "cairn", text: asCommand(narrowing, db) },
            { title: "link", text: location.href },
          ]}
        />
        <SaveFound />
      </div>
      <KindTabs />
      {chips.length > 0 && (
        <ul class="chips" aria-label="Active filters">
          {chips.map(({ name, value, without }) => (
            <li key={`${name} ${value}`}>
              <button
                type="button"
                class="chip"
                aria-label={`Remove the filter ${name} ${value}`}
                onClick={() => router.setQuery(without, "push")}
              >
                {name === "q" ? "words" : name}: <Stored text={value} /> <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
