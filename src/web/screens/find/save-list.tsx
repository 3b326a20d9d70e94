import type { OutputOf } from "../../../memory/index.ts";
import { failureOf } from "../../data/request-failed.ts";
import { saveText } from "../../data/save-download.ts";
import { usePage } from "../../page.ts";
import { type ItemsInput, toFilter } from "./find-filter.ts";
import { LIST_FORMATS, type ListFormat } from "./list-formats.ts";

type Item = OutputOf<"items">["items"][number];

const PAGE = 500;

/** The list as it is filtered, whole, as a file for a table, a program or a person. */
export function SaveList() {
  const { client, router, toasts } = usePage();
  const save = async (format: ListFormat) => {
    const { db, query } = router.place.peek();
    const { sel: _sel, ...narrowing } = query;
    const items: Item[] = [];
    try {
      let page: ItemsInput | undefined = { ...toFilter(narrowing), limit: PAGE };
      while (page !== undefined) {
        const answer: OutputOf<"items"> = (await client.call("items", page, { db })).output;
        items.push(...answer.items);
        const { next_cursor: cursor } = answer;
        page = cursor === null ? undefined : { ...page, cursor };
      }
      const file = `${db}.${format}`;
      saveText(LIST_FORMATS[format].write(items), { file, type: LIST_FORMATS[format].type });
      toasts.tell(`Saved ${items.length.toLocaleString("en")} items as ${file}.`);
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    }
  };
  return (
    <div class="copy-menu">
      <span class="quiet">Save as</span>
      {(Object.keys(LIST_FORMATS) as ListFormat[]).map((format) => (
        <button
          key={format}
          type="button"
          class="button quiet"
          aria-label={`Save the list as .${format}`}
          onClick={() => void save(format)}
        >
          .{format}
        </button>
      ))}
    </div>
  );
}
