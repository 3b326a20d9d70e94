import { useEffect, useRef, useState } from "preact/hooks";
import type { InputOf } from "../../../memory/index.ts";
import { Keys } from "../../components/keys.tsx";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

interface EditedField {
  readonly name: string;
  readonly title: string;
  readonly isLong?: boolean;
}

interface EditFormProps {
  readonly operation: "update_episode" | "update_concept";
  readonly target: Readonly<Record<string, string>>;
  /** Of the item as it was when editing began. */
  readonly version: number;
  readonly present: Readonly<Record<string, unknown>>;
  readonly fields: readonly EditedField[];
  onDone(): void;
}

/** What somebody else wrote since editing began. */
interface Stale {
  readonly version: number;
  readonly present: Readonly<Record<string, unknown>>;
}

/**
 * Edits in place. The write names the version that was seen: when somebody wrote meanwhile, both
 * texts are shown and the person decides.
 */
export function EditForm(props: EditFormProps) {
  const { operation, target, version, present, fields, onDone } = props;
  const { writer, router } = usePage();
  const [initial] = useState(() => textsOf(present, fields));
  const [texts, setTexts] = useState(initial);
  const [stale, setStale] = useState<Stale | undefined>(undefined);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const id = Object.values(target)[0] ?? "";

  const save = async (ifMatch: number) => {
    const changed = fields.filter(({ name }) => texts[name] !== initial[name]);
    if (changed.length === 0) return onDone();
    const input = {
      ...target,
      ...Object.fromEntries(changed.map(({ name }) => [name, written(name, texts)])),
    };
    const { db } = router.place.peek();
    try {
      const { change } = await writer.attempt(operation, input as InputOf<typeof operation>, {
        db,
        ifMatch,
        done: "",
      });
      writer.tellDone(`Changed ${id}.`, change);
      onDone();
    } catch (error) {
      const failed = failureOf(error);
      const found = failed.status === 412 ? staleOf(failed.details) : undefined;
      setStale(found);
      setFailure(found === undefined ? failed : undefined);
    }
  };

  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save(stale?.version ?? version);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void save(stale?.version ?? version);
        }
      }}
    >
      {stale !== undefined && (
        <p class="notice warn" role="alert">
          {id} was changed meanwhile. Yours stands in the fields, theirs below them: save yours over
          it, or take theirs.
        </p>
      )}
      {failure !== undefined && (
        <p class="notice danger" role="alert">
          {failure.message}
        </p>
      )}
      {fields.map(({ name, title, isLong }, index) => (
        <label key={name}>
          {title}
          <textarea
            ref={index === 0 ? first : null}
            name={name}
            dir="auto"
            rows={
              isLong === true ? Math.min(16, 3 + Math.ceil((texts[name] ?? "").length / 80)) : 1
            }
            value={texts[name] ?? ""}
            onInput={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
          {stale !== undefined && (
            <span class="theirs" dir="auto">
              <b>Theirs:</b> {textsOf(stale.present, fields)[name]}
            </span>
          )}
        </label>
      ))}
      <div class="item-actions">
        <button type="submit" class="button primary">
          {stale === undefined ? "Save" : "Save mine"} <Keys of={["Mod+Enter"]} />
        </button>
        <button type="button" class="button" onClick={onDone}>
          {stale === undefined ? "Cancel" : "Take theirs"} <Keys of={["Escape"]} />
        </button>
      </div>
    </form>
  );
}

function textsOf(
  record: Readonly<Record<string, unknown>>,
  fields: readonly EditedField[],
): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = record[name];
      return [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")];
    }),
  );
}

function written(name: string, texts: Readonly<Record<string, string>>): string | number {
  const text = texts[name] ?? "";
  return name === "confidence" ? Number(text) : text;
}

function staleOf(details: unknown): Stale | undefined {
  const { version, present } = (details ?? {}) as Partial<Stale>;
  return version === undefined || present === undefined ? undefined : { version, present };
}
