import { useEffect, useState } from "preact/hooks";
import { ACTION_GROUPS, type Targets } from "../actions/action.ts";
import type { Overlay } from "../actions/action-registry.ts";
import { change } from "../actions/item-actions.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Button, Checkbox, TextField } from "../components/controls.tsx";
import { SuggestField } from "../components/suggest-field.tsx";
import { type Part, Suspense } from "../components/suspense.tsx";
import { usePage } from "../page.ts";
import type { WorkbenchDialogProps } from "../workbench/workbench-dialog.tsx";
import { Dialog, FormDialog } from "./dialog.tsx";
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
      return <ConfirmDialog overlay={overlay} onClose={close} />;
    case "write": {
      const { form: name, ids } = overlay;
      const props = { name, ids, onClose: close };
      return <Suspense key={`${name} ${ids.join()}`} part={WORKBENCH} props={props} />;
    }
  }
}

interface ConfirmDialogProps {
  readonly overlay: Extract<Overlay, { kind: "confirm" }>;
  onClose(): void;
}

function ConfirmDialog({ overlay, onClose }: ConfirmDialogProps) {
  const { title, text, verb, isDestructive, decide } = overlay;
  useEffect(() => () => decide(false), [decide]);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="fields">
        <p>{text}</p>
      </div>
      <footer>
        <Button
          kind={isDestructive === true ? "danger" : "primary"}
          autofocus
          onClick={() => {
            decide(true);
            onClose();
          }}
        >
          {verb}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </footer>
    </Dialog>
  );
}

function TopicDialog({ targets, onClose }: { readonly targets: Targets; onClose(): void }) {
  const page = usePage();
  const [topic, setTopic] = useState("");
  const items = targets.count === 1 ? targets.ids[0] : `${targets.count} items`;
  const save = () =>
    void change(page, targets, {
      op: (id) => ({ op: "set_topic", id, topic }),
      matching: { action: "topic", value: topic },
      done:
        topic === "" ? `Removed the topic of ${items}.` : `Set the topic of ${items} to ${topic}.`,
    });
  return (
    <FormDialog title="Set topic" verb="Set" onSubmit={save} onClose={onClose}>
      <SuggestField
        kind="topic"
        label="Topic (empty removes it)"
        value={topic}
        onInput={setTopic}
        isFirst
      />
    </FormDialog>
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
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  const isOne = targets.count === 1;
  const save = () =>
    void change(page, targets, {
      op: (id) => ({ op: "label", id, key, value }),
      matching: { action: "label", value: text },
      done: `Labelled ${isOne ? targets.ids[0] : `${targets.count} items`} ${text}.`,
    });
  return (
    <FormDialog
      title={isOne ? "Add label" : `Label ${targets.count} items`}
      verb="Add"
      isReady={at > 0 && value !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <SuggestField kind="label" label="Label (key=value)" value={text} onInput={setText} isFirst />
    </FormDialog>
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
      <Checkbox
        checked={singleKeys}
        onChange={(isChecked) => preferences.choose({ singleKeys: isChecked })}
      >
        Single-letter shortcuts
      </Checkbox>
    </section>
  );
}

function AsOfDialog({ onClose }: { onClose(): void }) {
  const { router } = usePage();
  const { as_of: current = "" } = router.location.value.query;
  const [day, setDay] = useState(current.slice(0, 10));
  return (
    <FormDialog
      title="View memory as of a date"
      verb="View"
      isReady={day === "" || /^\d{4}-\d{2}-\d{2}$/.test(day)}
      onSubmit={() => router.setQuery({ as_of: day }, "push")}
      onClose={onClose}
    >
      <TextField label="Date" placeholder="2026-03-31" value={day} onInput={setDay} />
    </FormDialog>
  );
}
