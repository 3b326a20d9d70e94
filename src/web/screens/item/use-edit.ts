import { useState } from "preact/hooks";
import type { InputOf } from "../../../memory/index.ts";
import type { Draft, Texts } from "../../data/drafts.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

export interface EditedField {
  readonly name: string;
  readonly title: string;
  readonly isLong?: boolean;
}

export interface Present {
  readonly version: number;
  readonly record: Readonly<Record<string, unknown>>;
}

export interface EditOptions {
  readonly operation: "update_episode" | "update_concept";
  readonly target: Readonly<Record<string, string>>;
  readonly now: Present;
  readonly fields: readonly EditedField[];
  onDone(): void;
}

export function useEdit({ operation, target, now, fields, onDone }: EditOptions) {
  const { writer, router, drafts } = usePage();
  const { db } = router.place.peek();
  const id = Object.values(target)[0] ?? "";
  const place = { db, id };
  const [draft, setDraft] = useState<Draft>(() => drafts.find(place) ?? begin(now, fields));
  const [theirs, setTheirs] = useState<Present | undefined>(undefined);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const changed = fields.filter(({ name }) => draft.texts[name] !== draft.initial[name]);
  const isDirty = changed.length > 0;
  const end = () => {
    drafts.drop(place);
    onDone();
  };
  const write = (name: string, text: string) => {
    const next = { ...draft, texts: { ...draft.texts, [name]: text } };
    setDraft(next);
    if (fields.some((field) => next.texts[field.name] !== next.initial[field.name]))
      drafts.keep(place, next);
    else drafts.drop(place);
  };
  const save = async () => {
    if (!isDirty) return end();
    const written = changed.map(({ name }) => [name, writtenAs(name, draft.texts)]);
    const input = { ...target, ...Object.fromEntries(written) } as InputOf<typeof operation>;
    const ifMatch = theirs?.version ?? draft.version;
    try {
      const { change } = await writer.attempt(operation, input, { db, ifMatch, done: "" });
      writer.tellDone(`Changed ${id}.`, change);
      end();
    } catch (error) {
      const failed = failureOf(error);
      const stale = failed.status === 412 ? staleOf(failed.details) : undefined;
      if (stale !== undefined) setTheirs(stale);
      setFailure(stale === undefined ? failed : undefined);
    }
  };
  return {
    id,
    texts: draft.texts,
    theirs,
    failure,
    isDirty,
    /** Somebody wrote, and it is not shown yet what. */
    isBehind: now.version !== (theirs?.version ?? draft.version),
    write,
    save,
    end,
    compare: () => setTheirs(now),
  };
}

function begin({ version, record }: Present, fields: readonly EditedField[]): Draft {
  const initial = textsOf(record, fields);
  return { version, initial, texts: initial };
}

export function textsOf(record: Present["record"], fields: readonly EditedField[]): Texts {
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

function staleOf(details: unknown): Present | undefined {
  const { version, present } = (details ?? {}) as { version?: number; present?: Present["record"] };
  return version === undefined || present === undefined ? undefined : { version, record: present };
}
