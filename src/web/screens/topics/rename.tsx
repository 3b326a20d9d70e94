import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { failureOf } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import type { ItemsInput } from "../find/find-filter.ts";

const PAGE = 500;

interface RenameProps {
  readonly what: string;
  /** The items that carry it. */
  readonly filter: ItemsInput;
  readonly form?: string;
  readonly ops: {
    first(to: string): readonly object[];
    each(id: string, to: string): readonly object[];
  };
}

/** Gives another name to what many items carry, or retires it: one change, counted before it is made. */
export function Rename({ what, filter, form = "name", ops }: RenameProps) {
  const { client, router, writer, toasts } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState("");
  const { db } = router.place.value;
  const change = async (name: string) => {
    try {
      const ids = await itemsOf(filter);
      const all = [...ops.first(name), ...ids.flatMap((id) => ops.each(id, name))];
      const changeset = JSON.stringify(all);
      await client.call("apply", { changeset, dry_run: true }, { db });
      const done = name === "" ? `Removed ${what}` : `Renamed ${what} to ${name}`;
      const count = `${ids.length.toLocaleString("en")} ${ids.length === 1 ? "item" : "items"}`;
      if (!confirm(`Change ${count}? You can undo this.`)) return;
      await writer.write("apply", { changeset }, { db, done: `${done} on ${count}.` });
      setOpen(false);
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    }
  };
  const itemsOf = async (wanted: ItemsInput) => {
    const ids: string[] = [];
    const kinds: ItemsInput["kinds"] = ["episode", "concept"];
    let page: ItemsInput | undefined = { ...wanted, kinds, limit: PAGE };
    while (page !== undefined) {
      const answer: OutputOf<"items"> = (await client.call("items", page, { db })).output;
      ids.push(...answer.items.map(({ id }) => id));
      page = answer.next_cursor === null ? undefined : { ...page, cursor: answer.next_cursor };
    }
    return ids;
  };
  if (!isOpen) {
    return (
      <button
        type="button"
        class="button quiet"
        aria-label={`Rename or remove ${what}`}
        onClick={() => setOpen(true)}
      >
        Rename
      </button>
    );
  }
  return (
    <form
      class="item-actions"
      onSubmit={(event) => {
        event.preventDefault();
        if (to.trim() !== "") void change(to.trim());
      }}
    >
      <input
        aria-label={`New ${form} for ${what}`}
        placeholder={`new ${form}`}
        value={to}
        onInput={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <button type="submit" class="button primary" disabled={to.trim() === ""}>
        Rename
      </button>
      <button type="button" class="button danger" onClick={() => void change("")}>
        Remove
      </button>
      <button type="button" class="button quiet" onClick={() => setOpen(false)}>
        Cancel
      </button>
    </form>
  );
}
