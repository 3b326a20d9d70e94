import { useEffect } from "preact/hooks";
import type { Effort, PermissionMode } from "../../agent/entry.ts";
import type { OpenThread } from "./use-thread.ts";

const MODES: readonly Option<PermissionMode>[] = [
  { value: "plan", title: "Plan", about: "Reads only" },
  { value: "ask", title: "Ask", about: "Asks before edits and commands" },
  { value: "edits", title: "Accept edits", about: "Edits in the project without asking" },
  { value: "auto", title: "Auto", about: "Asks only for what cannot be undone" },
];

const EFFORTS: readonly Option<Effort>[] = [
  { value: "off", title: "Off" },
  { value: "low", title: "Low" },
  { value: "medium", title: "Medium" },
  { value: "high", title: "High" },
];

/** Menus for permission mode, model and effort of the next message. */
export function ModelPickers({ open }: { readonly open: OpenThread }) {
  const { connection, threadId, thread, isBusy } = open;
  const { ready, models, chosen } = connection.answers;
  const isLive = connection.isLive.value;
  const isCreated = thread !== undefined;
  useEffect(() => {
    // A command such as /model may have changed it.
    if (isLive && isCreated) connection.send({ type: "thread.choose", payload: { threadId } });
  }, [connection, isLive, isCreated, threadId, isBusy]);
  if (ready.value === undefined) return <span class="pickers" />;
  const own = chosen.value?.threadId === threadId ? chosen.value : undefined;
  const model = own?.model ?? thread?.model ?? ready.value.model;
  const names = models.value.includes(model) ? models.value : [model, ...models.value];
  return (
    <span class="pickers">
      <Picker
        label="Mode"
        value={ready.value.permissionMode}
        of={MODES}
        onChoose={(mode) => connection.send({ type: "mode.set", payload: { mode } })}
      />
      <Picker
        label="Model"
        value={model}
        of={names.map((value) => ({ value, title: value }))}
        onChoose={(name) =>
          open.send({ type: "thread.choose", payload: { threadId, model: name } })
        }
      />
      <Picker
        label="Effort"
        value={own?.effort}
        of={EFFORTS}
        onChoose={(effort) => open.send({ type: "thread.choose", payload: { threadId, effort } })}
      />
    </span>
  );
}

interface Option<Value extends string> {
  readonly value: Value;
  readonly title: string;
  readonly about?: string;
}

interface PickerProps<Value extends string> {
  readonly label: string;
  /** Undefined for the provider's default. */
  readonly value: Value | undefined;
  readonly of: readonly Option<Value>[];
  onChoose(value: Value): void;
}

function Picker<Value extends string>({ label, value, of, onChoose }: PickerProps<Value>) {
  const about = of.find((option) => option.value === value)?.about;
  return (
    <select
      class="picker"
      aria-label={label}
      title={about === undefined ? label : `${label}: ${about}`}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
    >
      {value === undefined && (
        <option value="" disabled>
          {label}: default
        </option>
      )}
      {of.map((option) => (
        <option key={option.value} value={option.value} title={option.about}>
          {option.title}
        </option>
      ))}
    </select>
  );
}
