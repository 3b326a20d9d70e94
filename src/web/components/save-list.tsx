import { LIST_FORMATS, type ListForm, type ListFormat, writeList } from "../data/list-file.ts";
import { getFailure } from "../data/request-failed.ts";
import { saveBlob } from "../data/save-download.ts";
import { usePage } from "../page.ts";

interface SaveListProps<Row extends object> extends ListForm<Row> {
  /** Used in the file name, for example `conflicts`. */
  readonly name: string;
  /** Pages of the whole list, including rows that are not displayed. */
  pages(): AsyncIterable<readonly Row[]>;
}

export function SaveList<Row extends object>({ name, pages, ...form }: SaveListProps<Row>) {
  const { router, toasts } = usePage();
  const save = async (format: ListFormat) => {
    const { db } = router.place.peek();
    try {
      const { blob, rows } = await writeList(pages(), format, form);
      const file = `${db}-${name}.${format}`;
      saveBlob(blob, file);
      toasts.tell(`Saved ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} as ${file}.`);
    } catch (error) {
      toasts.tellError(getFailure(error).message);
    }
  };
  return (
    <div class="copy-menu save-list">
      <span class="quiet">Save as</span>
      {LIST_FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          class="button quiet"
          aria-label={`Save the ${name} as .${format}`}
          onClick={() => void save(format)}
        >
          .{format}
        </button>
      ))}
    </div>
  );
}
