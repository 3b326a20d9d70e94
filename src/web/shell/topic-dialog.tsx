import { useState } from "preact/hooks";
import type { Targets } from "../actions/action.ts";
import { change } from "../actions/item-actions.ts";
import { SuggestField } from "../components/suggest-field.tsx";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

export function TopicDialog({ targets, onClose }: { readonly targets: Targets; onClose(): void }) {
  const page = usePage();
  const [topic, setTopic] = useState("");
  return (
    <Dialog title="Set the topic" onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const what = targets.count === 1 ? targets.ids[0] : `${targets.count} items`;
          void change(page, targets, {
            op: (id) => ({ op: "set_topic", id, topic }),
            matching: { action: "topic", value: topic },
            done: topic === "" ? `Took the topic of ${what} away.` : `Put ${what} under ${topic}.`,
          });
          onClose();
        }}
      >
        <SuggestField
          kind="topic"
          label="Topic; empty for none"
          value={topic}
          onInput={setTopic}
          isFirst
        />
        <button type="submit" class="button primary">
          Set
        </button>
      </form>
    </Dialog>
  );
}
