import { useEffect, useRef, useState } from "preact/hooks";
import type { InputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Button, Form } from "../../components/controls.tsx";
import { Keys } from "../../components/keys.tsx";
import { Stored } from "../../components/stored.tsx";
import type { Draft, Texts } from "../../data/drafts.ts";
import { getFailure, type RequestFailed } from "../../data/request-failed.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";

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
  const storedVersion = edit.storedVersion && getTexts(edit.storedVersion.record, fields);
  return (
    <Form
      class="edit"
      onSubmit={() => void edit.save()}
      onKeyDown={(event) => {
        if (event.key === "Escape") leave();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void edit.save();
        }
      }}
    >
      {edit.isBehind && <ChangedMeanwhile id={edit.id} onCompare={edit.compare} />}
      {storedVersion !== undefined && (
        <p class="notice warn" role="alert">
          {edit.id} was changed by someone else. Your text is in the fields and the stored text
          below: overwrite it or discard yours.
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
          {storedVersion !== undefined && (
            <span class="theirs">
              <b>Stored:</b> <Stored text={storedVersion[name] ?? ""} />
            </span>
          )}
        </label>
      ))}
      {isLeaving && (
        <p class="notice warn" role="alert">
          Unsaved changes. Press Esc again to discard them.
        </p>
      )}
      <div class="item-actions">
        <Button type="submit" kind="primary">
          {storedVersion === undefined ? "Save" : "Overwrite"} <Keys keys={["Mod+Enter"]} />
        </Button>
        <Button kind={isLeaving ? "danger" : undefined} onClick={leave}>
          {isLeaving ? "Discard" : storedVersion === undefined ? "Cancel" : "Discard mine"}{" "}
          <Keys keys={["Escape"]} />
        </Button>
      </div>
    </Form>
  );
}

function rowsFor(text: string): number {
  return Math.min(16, 3 + Math.ceil(text.length / 80));
}

/** Reports a concurrent change: who and when, and the difference on demand. */
function ChangedMeanwhile({ id, onCompare }: { readonly id: string; onCompare(): void }) {
  const history = useQuery("history", { id, limit: 1 });
  const last = history.output?.events[0];
  const number = Number(last?.change_id?.replace("change:", "") ?? 0);
  const before = `change:${number + 1}`;
  const changes = useQuery("changes", { before, limit: 1 }, { when: number > 0 });
  const author = changes.output?.changes[0]?.author;
  return (
    <p class="notice warn" role="status">
      {id} was changed{" "}
      {author !== undefined && (
        <>
          by <Stored text={author} />{" "}
        </>
      )}
      {last !== undefined && <Age at={last.ts} />} while you were editing.{" "}
      <Button onClick={onCompare}>Compare</Button>
    </p>
  );
}

interface EditedField {
  readonly name: string;
  readonly title: string;
  readonly isLong?: boolean;
}

interface Present {
  readonly version: number;
  readonly record: Readonly<Record<string, unknown>>;
}

interface EditOptions {
  readonly operation: "update_episode" | "update_concept";
  readonly target: Readonly<Record<string, string>>;
  readonly now: Present;
  readonly fields: readonly EditedField[];
  onDone(): void;
}

function useEdit({ operation, target, now, fields, onDone }: EditOptions) {
  const { writer, router, drafts } = usePage();
  const { db } = router.location.peek();
  const id = Object.values(target)[0] ?? "";
  const location = { db, id };
  const [draft, setDraft] = useState<Draft>(() => drafts.find(location) ?? begin(now, fields));
  const [storedVersion, setStoredVersion] = useState<Present | undefined>(undefined);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const changed = fields.filter(({ name }) => draft.texts[name] !== draft.initial[name]);
  const isDirty = changed.length > 0;
  const end = () => {
    drafts.drop(location);
    onDone();
  };
  const write = (name: string, text: string) => {
    const next = { ...draft, texts: { ...draft.texts, [name]: text } };
    setDraft(next);
    if (fields.some((field) => next.texts[field.name] !== next.initial[field.name]))
      drafts.keep(location, next);
    else drafts.drop(location);
  };
  const save = async () => {
    if (!isDirty) return end();
    const written = changed.map(({ name }) => [name, writtenAs(name, draft.texts)]);
    const input = { ...target, ...Object.fromEntries(written) } as InputOf<typeof operation>;
    const ifMatch = storedVersion?.version ?? draft.version;
    try {
      const { change } = await writer.attempt(operation, input, { db, ifMatch, done: "" });
      writer.showDone(`Changed ${id}.`, change);
      end();
    } catch (error) {
      const failed = getFailure(error);
      const stale = failed.status === 412 ? getStale(failed.details) : undefined;
      if (stale !== undefined) setStoredVersion(stale);
      setFailure(stale === undefined ? failed : undefined);
    }
  };
  return {
    id,
    texts: draft.texts,
    storedVersion,
    failure,
    isDirty,
    /** True if a concurrent change has not been compared yet. */
    isBehind: now.version !== (storedVersion?.version ?? draft.version),
    write,
    save,
    end,
    compare: () => setStoredVersion(now),
  };
}

function begin({ version, record }: Present, fields: readonly EditedField[]): Draft {
  const initial = getTexts(record, fields);
  return { version, initial, texts: initial };
}

function getTexts(record: Present["record"], fields: readonly EditedField[]): Texts {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = record[name];
      return [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")];
    }),
  );
}

function writtenAs(name: string, texts: Texts): string | number {
  const text = texts[name] ?? "";
  return name === "confidence" ? Number(text) : text;
}

function getStale(details: unknown): Present | undefined {
  const { version, present } = (details ?? {}) as { version?: number; present?: Present["record"] };
  return version === undefined || present === undefined ? undefined : { version, record: present };
}
