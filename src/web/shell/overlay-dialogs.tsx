import { useEffect, useState } from "preact/hooks";
import { ACTION_GROUPS, type Targets } from "../actions/action.ts";
import type { Overlay } from "../actions/action-registry.ts";
import { change } from "../actions/item-actions.ts";
import { ActionButton } from "../components/action-button.tsx";
import { SuggestField } from "../components/suggest-field.tsx";
import { type Part, Suspense } from "../components/suspense.tsx";
import { usePage } from "../page.ts";
import type { WorkbenchDialogProps } from "../workbench/workbench-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Palette } from "./palette.tsx";

const WORKBENCH: Part<WorkbenchDialogProps> = {
  load: async () => (await import("../workbench/workbench-dialog.tsx")).WorkbenchDialog,
};

/** The open dialog. */
export function OverlayDialog({ overlay }: { readonly overlay: Overlay }) {
  const { actions } = usePage();
  const close = () => {
    if (actions.overlay.peek() === overlay) actions.overlay.value = undefined;
  };
  switch (overlay.kind) {
    case "palette":
      return <Palette onClose={close} />;
    case "help":
      return <Help onClose={close} />;
    case "as-of":
      return <AsOfDialog onClose={close} />;
    case "label":
      return <LabelDialog targets={overlay.targets} onClose={close} />;
    case "topic":
      return <TopicDialog targets={overlay.targets} onClose={close} />;
    case "confirm":
      return <ConfirmDialog of={overlay} onClose={close} />;
    case "write": {
      const { form: name, ids } = overlay;
      const props = { name, ids, onClose: close };
      return <Suspense key={`${name} ${ids.join()}`} part={WORKBENCH} props={props} />;
    }
  }
}

interface ConfirmDialogProps {
  readonly of: Extract<Overlay, { kind: "confirm" }>;
  onClose(): void;
}

function ConfirmDialog({ of, onClose }: ConfirmDialogProps) {
  const { title, text, verb, isDestructive, decide } = of;
  useEffect(() => () => decide(false), [decide]);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="fields">
        <p>{text}</p>
      </div>
      <footer>
        <button
          type="button"
          class={isDestructive === true ? "button danger" : "button primary"}
          autofocus
          onClick={() => {
            decide(true);
            onClose();
          }}
        >
          {verb}
        </button>
        <button type="button" class="button quiet" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
}

function TopicDialog({ targets, onClose }: { readonly targets: Targets; onClose(): void }) {
  const page = usePage();
  const [topic, setTopic] = useState("");
  return (
    <Dialog title="Set topic" onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const what = targets.count === 1 ? targets.ids[0] : `${targets.count} items`;
          void change(page, targets, {
            op: (id) => ({ op: "set_topic", id, topic }),
            matching: { action: "topic", value: topic },
            done:
              topic === ""
                ? `Removed the topic of ${what}.`
                : `Set the topic of ${what} to ${topic}.`,
          });
          onClose();
        }}
      >
        <SuggestField
          kind="topic"
          label="Topic (empty removes it)"
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

/** Preferences, and all keys from the action registry. */
function Help({ onClose }: { onClose(): void }) {
  const { actions, session } = usePage();
  const all = actions.all.value.filter(({ keys }) => keys !== undefined);
  return (
    <Dialog title="Preferences and help" class="help" onClose={onClose}>
      <div class="help-groups">
        <Preferences />
        {ACTION_GROUPS.map((group) => {
          const shown = all.filter((action) => action.group === group);
          if (shown.length === 0) return null;
          return (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {shown.map(({ id, title, keys = [] }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key.replace("Mod+", "Ctrl ")}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <footer>
        <span class="quiet">cairn {session.server.value?.version}</span>
        <a class="button" href="/api/v1/openapi.json" target="_blank" rel="noopener">
          OpenAPI document
        </a>
      </footer>
    </Dialog>
  );
}

/** Adds a label such as `area=billing` to every target. */
function LabelDialog({ targets, onClose }: { readonly targets: Targets; onClose(): void }) {
  const page = usePage();
  const [text, setText] = useState("");
  const at = text.indexOf("=");
  const isComplete = at > 0 && at < text.length - 1;
  return (
    <Dialog
      title={targets.count === 1 ? "Add label" : `Label ${targets.count} items`}
      onClose={onClose}
    >
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isComplete) return;
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
          label="Label (key=value)"
          value={text}
          onInput={setText}
          isFirst
        />
        <button type="submit" class="button primary" disabled={!isComplete}>
          Add
        </button>
      </form>
    </Dialog>
  );
}

function Preferences() {
  const { preferences } = usePage();
  const { singleKeys } = preferences.choices.value;
  return (
    <section class="fields">
      <h3>Preferences</h3>
      <p class="item-actions">
        {["theme-system", "theme-light", "theme-dark"].map((id) => (
          <ActionButton key={id} id={id} />
        ))}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={({ currentTarget }) =>
            preferences.choose({ singleKeys: currentTarget.checked })
          }
        />
        Single-letter shortcuts
      </label>
    </section>
  );
}

function AsOfDialog({ onClose }: { onClose(): void }) {
  const { router } = usePage();
  const { as_of: day = "" } = router.place.value.query;
  return (
    <Dialog title="View memory as of a date" onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = new FormData(event.currentTarget).get("as_of");
          router.setQuery({ as_of: String(chosen ?? "") }, "push");
          onClose();
        }}
      >
        <label>
          Date
          <input
            name="as_of"
            placeholder="2026-03-31"
            pattern="\d{4}-\d{2}-\d{2}"
            title="YYYY-MM-DD"
            defaultValue={day.slice(0, 10)}
          />
        </label>
        <button type="submit" class="button primary">
          View
        </button>
      </form>
    </Dialog>
  );
}
