import { useEffect, useRef, useState } from "preact/hooks";
import { Keys } from "../../components/keys.tsx";
import { Stored } from "../../components/stored.tsx";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { type EditOptions, textsOf, useEdit } from "./use-edit.ts";

export function EditForm(options: EditOptions) {
  const { fields } = options;
  const edit = useEdit(options);
  const [isLeaving, setLeaving] = useState(false);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const leave = () => {
    if (edit.isDirty && !isLeaving) return setLeaving(true);
    edit.end();
  };
  const theirs = edit.theirs && textsOf(edit.theirs.record, fields);
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void edit.save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") leave();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void edit.save();
        }
      }}
    >
      {edit.isBehind && <ChangedMeanwhile id={edit.id} onCompare={edit.compare} />}
      {theirs !== undefined && (
        <p class="notice warn" role="alert">
          {edit.id} was changed meanwhile. Yours stands in the fields, theirs below them: save yours
          over it, or take theirs.
        </p>
      )}
      {edit.failure !== undefined && (
        <p class="notice danger" role="alert">
          {edit.failure.message}
        </p>
      )}
      {fields.map(({ name, title, isLong }, index) => (
        <label key={name}>
          {title}
          <textarea
            ref={index === 0 ? first : null}
            name={name}
            dir="auto"
            rows={isLong === true ? rowsFor(edit.texts[name] ?? "") : 1}
            value={edit.texts[name] ?? ""}
            onInput={({ currentTarget }) => {
              setLeaving(false);
              edit.write(name, currentTarget.value);
            }}
          />
          {theirs !== undefined && (
            <span class="theirs">
              <b>Theirs:</b> <Stored text={theirs[name] ?? ""} />
            </span>
          )}
        </label>
      ))}
      {isLeaving && (
        <p class="notice warn" role="alert">
          This text is not saved. Esc once more throws it away.
        </p>
      )}
      <div class="item-actions">
        <button type="submit" class="button primary">
          {theirs === undefined ? "Save" : "Save mine"} <Keys of={["Mod+Enter"]} />
        </button>
        <button type="button" class={isLeaving ? "button danger" : "button"} onClick={leave}>
          {isLeaving ? "Throw it away" : theirs === undefined ? "Cancel" : "Take theirs"}{" "}
          <Keys of={["Escape"]} />
        </button>
      </div>
    </form>
  );
}

function rowsFor(text: string): number {
  return Math.min(16, 3 + Math.ceil(text.length / 80));
}
