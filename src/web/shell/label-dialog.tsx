import { useState } from "preact/hooks";
import type { Targets } from "../actions/action.ts";
import { change } from "../actions/item-actions.ts";
import { SuggestField } from "../components/suggest-field.tsx";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

/** `area=billing` on every target. */
export function LabelDialog({ targets, onClose }: { readonly targets: Targets; onClose(): void }) {
  const page = usePage();
  const [text, setText] = useState("");
  const at = text.indexOf("=");
  const isWhole = at > 0 && at < text.length - 1;
  return (
    <Dialog
      title={targets.count === 1 ? "Add a label" : `Label ${targets.count} items`}
      onClose={onClose}
    >
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWhole) return;
          const [key, value] = [text.slice(0, at), text.slice(at + 1)];
          void change(page, targets, {
            op: (id) => ({ op: "label", id, key, value }),
            matching: { action: "label", value: text },
            done: `Labelled ${targets.count === 1 ? targets.ids[0] : `${targets.count} items`} ${text}.`,
          });
          onClose();
        }}
      >
        <SuggestField
          kind="label"
          label="Label, as key=value"
          value={text}
          onInput={setText}
          isFirst
        />
        <button type="submit" class="button primary" disabled={!isWhole}>
          Add
        </button>
      </form>
    </Dialog>
  );
}
