import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Button, Form } from "../../components/controls.tsx";
import { getFailure } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import type { ItemsInput } from "../find/find-filter.ts";

const PAGE = 500;

interface NameActionsProps {
  /** For example `topic payments`. */
  readonly what: string;
  readonly filter: ItemsInput;
  /** Format of a name, such as `key=value`. */
  readonly form?: string;
  /** Topic to delete once no item uses it. */
  readonly topicId?: string;
  /** Returns ops that rename on these items; an empty name removes it. */
  ops(ids: readonly string[], name: string): readonly object[];
}

/** A stable ref callback, which runs once per mount. */
const focusElement = (element: HTMLElement | null) => element?.focus();

/** Renames or deletes a topic or label on all of its items, after a confirmation with their number. */
export function NameActions({ what, filter, form = "name", topicId, ops }: NameActionsProps) {
  const { actions, client, router, writer, toasts } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState("");
  const { db } = router.location.value;
  const apply = async (name: string) => {
    const changes: string[] = [];
    const verb = name === "" ? "Delete" : "Rename";
    try {
      const ids = await getIds(filter);
      const changeset = JSON.stringify(ops(ids, name));
      const isEmpty = ops(ids, name).length === 0;
      if (!isEmpty) await client.call("apply", { changeset, dry_run: true }, { db });
      const count = `${ids.length.toLocaleString("en")} ${ids.length === 1 ? "item" : "items"}`;
      const isConfirmed = await actions.confirm({
        title: name === "" ? `Delete ${what}?` : `Rename ${what} to ${name}?`,
        text:
          name === ""
            ? `${count} will no longer have it; the items themselves stay. You can undo this.`
            : `This changes ${count}. You can undo it.`,
        verb,
        isDestructive: name === "",
      });
      if (!isConfirmed) return;
      const note = (change: string | undefined) => change !== undefined && changes.push(change);
      if (!isEmpty) note((await client.call("apply", { changeset }, { db })).change);
      if (topicId !== undefined) {
        note((await client.call("delete_topic", { topic_id: topicId }, { db })).change);
      }
      setOpen(false);
      const done = name === "" ? `Deleted ${what}` : `Renamed ${what} to ${name}`;
      writer.recordDone(db, `${done} on ${count}.`, changes);
    } catch (error) {
      if (changes.length > 0) writer.recordDone(db, `Changed the items of ${what}.`, changes);
      toasts.showError(getFailure(error).message);
    }
  };
  const getIds = async (input: ItemsInput) => {
    const ids: string[] = [];
    const kinds: ItemsInput["kinds"] = ["episode", "concept"];
    let page: ItemsInput | undefined = { ...input, kinds, limit: PAGE };
    while (page !== undefined) {
      const { items, next_cursor: cursor }: OutputOf<"items"> = (
        await client.call("items", page, { db })
      ).output;
      ids.push(...items.map(({ id }) => id));
      page = cursor === null ? undefined : { ...page, cursor };
    }
    return ids;
  };
  if (!isOpen) {
    return (
      <span class="row-actions">
        <Button kind="quiet" aria-label={`Rename ${what}`} onClick={() => setOpen(true)}>
          Rename
        </Button>
        <Button kind="quiet danger" aria-label={`Delete ${what}`} onClick={() => void apply("")}>
          Delete
        </Button>
      </span>
    );
  }
  return (
    <Form
      class="item-actions"
      onSubmit={() => {
        if (to.trim() !== "") void apply(to.trim());
      }}
    >
      <input
        aria-label={`New ${form} for ${what}`}
        placeholder={`new ${form}`}
        value={to}
        ref={focusElement}
        onInput={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Button type="submit" kind="primary" disabled={to.trim() === ""}>
        Rename
      </Button>
      <Button kind="quiet" onClick={() => setOpen(false)}>
        Cancel
      </Button>
    </Form>
  );
}
