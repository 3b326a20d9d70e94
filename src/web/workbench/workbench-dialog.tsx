import { useEffect, useRef, useState } from "preact/hooks";
import type { InputOf } from "../../memory/index.ts";
import { Button, Checkbox } from "../components/controls.tsx";
import { Keys } from "../components/keys.tsx";
import { ItemLink } from "../components/link.tsx";
import type { Texts } from "../data/drafts.ts";
import { FORMS } from "../data/forms.ts";
import { getFailure, type RequestFailed } from "../data/request-failed.ts";
import { ROUTES, type RoutedOperation } from "../data/routes.ts";
import { useQuery } from "../data/use-query.ts";
import { usePage } from "../page.ts";
import { Dialog } from "../shell/dialog.tsx";
import { FormField } from "./form-field.tsx";
import { filledFor, getInput, missingFields } from "./form-values.ts";
import { type FormField as Field, type OperationForm, titleOfForm } from "./operation-form.ts";
import { Preview, PurgePreview } from "./preview.tsx";

/** Replaces a fact by a new one in a single change of two ops. */
const SUPERSEDE_FORM: OperationForm = {
  name: "supersede_by",
  summary: "Replace a fact with a new one; the old one becomes history",
  op: "supersede",
  fields: [
    { name: "old", kind: "text", names: "fact", isRequired: true, about: "No longer valid." },
    {
      name: "content",
      kind: "text",
      isRequired: true,
      isLong: true,
      about: "The new fact, in a full sentence.",
    },
    {
      name: "entities",
      kind: "textList",
      about: "Comma-separated type:name. Default: those of the old fact.",
    },
    { name: "asserted_by", kind: "text", about: "Author." },
    { name: "source_ref", kind: "text", about: "Link to the source." },
    { name: "note", kind: "text", about: "Reason." },
  ],
};

function supersedeOps(texts: Texts): object[] {
  const provided = (name: string) => {
    const text = (texts[name] ?? "").trim();
    return text === "" ? {} : { [name]: text };
  };
  const { old = "" } = texts;
  return [
    {
      op: "remember",
      episode_type: "fact",
      as: "fresh",
      ...provided("content"),
      ...provided("entities"),
      ...provided("asserted_by"),
      ...provided("source_ref"),
    },
    { op: "supersede", old: old.trim(), new: "$fresh", ...provided("note") },
  ];
}

export interface WorkbenchDialogProps {
  readonly name: string;
  readonly ids: readonly string[];
  onClose(): void;
}

/** Form for one write operation, generated from its schema. */
export function WorkbenchDialog({ name, ids, onClose }: WorkbenchDialogProps) {
  const form = [SUPERSEDE_FORM, ...FORMS].find((one) => one.name === name);
  const [first = ""] = ids;
  const isStated = form === SUPERSEDE_FORM && first.startsWith("ep:");
  const episode = useQuery("get_episode", { episode_id: first }, { when: isStated });
  if (form === undefined) return null;
  if (!isStated) return <WriteDialog form={form} ids={ids} onClose={onClose} />;
  const fact = episode.output?.fact_id;
  if (episode.output === undefined) return null;
  if (fact == null) {
    return (
      <Dialog title={titleOfForm(form)} onClose={onClose}>
        <p class="fields">{first} states no fact, so it cannot be superseded.</p>
      </Dialog>
    );
  }
  return <WriteDialog form={form} ids={[fact]} onClose={onClose} />;
}

/** Fields always shown, in addition to required ones; the others are under "More fields". */
const MAIN_FIELDS: ReadonlySet<string> = new Set([
  ...["content", "episode_type", "entities", "labels", "topic", "title", "summary"],
  ...["type", "note", "reason", "description"],
]);

interface WriteDialogProps {
  readonly form: OperationForm;
  readonly ids: readonly string[];
  onClose(): void;
}

function WriteDialog({ form, ids, onClose }: WriteDialogProps) {
  const write = useWriteForm(form, ids);
  const [answer, setAnswer] = useState<unknown>(undefined);
  const [isSure, setSure] = useState(false);
  const body = useFocusOnFirstEmpty();
  const entities = useEntityNames(form, write.texts.old);
  const texts: Texts = { ...(entities !== undefined && { entities }), ...write.texts };
  const ops = write.isReady ? getOps(form, texts) : undefined;
  const [initial] = useState(write.texts);
  const isShown = ({ name, isRequired }: Field) =>
    isRequired === true || MAIN_FIELDS.has(name) || (form.op === undefined && !form.erases)
      ? true
      : Boolean(initial[name]);
  const shown = form.fields.filter(isShown);
  const folded = form.fields.filter((field) => !isShown(field));
  const toField = (field: Field) => (
    <FormField
      key={field.name}
      field={field}
      value={texts[field.name] ?? ""}
      onInput={(text) => write.change({ [field.name]: text })}
    />
  );
  const submit = async () => {
    if (!write.isReady || (form.erases && !isSure)) return;
    const done = await write.submit(texts);
    if (done === undefined) return;
    if (form.erases) setAnswer(done);
    else onClose();
  };
  return (
    <Dialog title={titleOfForm(form)} class="workbench" onClose={onClose}>
      {answer !== undefined ? (
        <div class="fields">
          <Purged answer={answer as PurgeAnswer} />
        </div>
      ) : (
        <form
          class="fields"
          ref={body}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
          }}
        >
          <p class="quiet">{form.summary}.</p>
          {shown.map(toField)}
          {folded.length > 0 && (
            <details>
              <summary>More fields</summary>
              <div class="fields">{folded.map(toField)}</div>
            </details>
          )}
          {ops !== undefined && <Preview ops={ops} />}
          {form.name === "purge" && <PurgePreview input={getInput(form, texts)} />}
          {form.erases && (
            <Checkbox checked={isSure} onChange={setSure}>
              I understand that this cannot be undone.
            </Checkbox>
          )}
          {write.failure !== undefined && (
            <p class="notice danger" role="alert">
              {write.failure.message}
            </p>
          )}
          <SubmitBar
            form={form}
            isReady={write.isReady && !write.isBusy && (!form.erases || isSure)}
          />
        </form>
      )}
    </Dialog>
  );
}

function SubmitBar({ form, isReady }: { readonly form: OperationForm; readonly isReady: boolean }) {
  return (
    <div class="item-actions">
      <Button type="submit" kind={form.erases ? "danger" : "primary"} disabled={!isReady}>
        {titleOfForm(form)} <Keys keys={["Mod+Enter"]} />
      </Button>
    </div>
  );
}

function useEntityNames(form: OperationForm, old: string | undefined): string | undefined {
  const isRequested = form === SUPERSEDE_FORM && /^fact:\d+$/.test(old ?? "");
  const fact = useQuery("get_fact", { fact_id: old ?? "" }, { when: isRequested });
  return fact.output?.entities.join(", ");
}

/** By default the dialog would focus its first button. */
function useFocusOnFirstEmpty() {
  const body = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fields = body.current?.querySelectorAll<HTMLInputElement>("input, textarea, select");
    [...(fields ?? [])].find(({ value }) => value === "")?.focus();
  }, []);
  return body;
}

interface PurgeAnswer {
  readonly id: string;
  readonly purged: readonly string[];
  readonly kept_elsewhere?: readonly string[];
}

function Purged({ answer }: { readonly answer: PurgeAnswer }) {
  return (
    <section class="purged" role="status">
      <p>
        Purged from <code>{answer.id}</code>. Verified:
      </p>
      <ul class="lines">
        {answer.purged.map((id) => (
          <li key={id}>
            <ItemLink id={id} />
            <Proof id={id} />
          </li>
        ))}
      </ul>
      {answer.kept_elsewhere?.map((sentence) => (
        <p key={sentence} class="notice warn">
          {sentence}
        </p>
      ))}
      <p class="quiet">Earlier backups and exports still contain it: delete them yourself.</p>
    </section>
  );
}

function Proof({ id }: { readonly id: string }) {
  const { output, failure } = useQuery("history", { id, limit: 200 });
  const isAnswered = output !== undefined || failure !== undefined;
  const remains = (output?.events ?? []).some(({ changed = [] }) =>
    changed.some(
      ({ field, before, after }) =>
        /content|summary|title|statement/.test(field) && isText(before ?? after),
    ),
  );
  if (!isAnswered) return <span class="quiet">checking…</span>;
  return remains ? (
    <span class="mark danger">its history still contains text</span>
  ) : (
    <span class="mark held">no text left in the item or its history</span>
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !/purged/i.test(value);
}

const DONE: Readonly<Record<string, string>> = {
  remember: "Saved the memory.",
  supersede_by: "Superseded the fact.",
  supersede: "Superseded the fact.",
  create_concept: "Created the concept.",
  merge: "Merged the concepts.",
  split: "Split the concept.",
  link: "Linked the concepts.",
  evidence: "Saved the evidence.",
  update_episode: "Saved the changes.",
  update_concept: "Saved the changes.",
};

function useWriteForm(form: OperationForm, ids: readonly string[]) {
  const { router, writer, drafts } = usePage();
  const { db } = router.location.peek();
  const location = { db, id: `form ${form.name} ${ids.join(" ")}` };
  const [initial] = useState(() => filledFor(form, ids));
  const [texts, setTexts] = useState<Texts>(() => drafts.find(location)?.texts ?? initial);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const isReady = missingFields(form, texts).length === 0;
  const change = (part: Texts) => {
    const next = { ...texts, ...part };
    setTexts(next);
    drafts.keep(location, { version: 0, initial, texts: next });
  };
  const submit = async (final: Texts): Promise<unknown> => {
    setBusy(true);
    setFailure(undefined);
    try {
      // The form follows the operation's schema, which the server validates again.
      const { output, change: created } = !hasRoute(form.name)
        ? await writer.attempt(
            "apply",
            { changeset: JSON.stringify(getOps(form, final)) },
            { db, done: "" },
          )
        : await writer.attempt(form.name, getInput(form, final) as InputOf<typeof form.name>, {
            db,
            done: "",
          });
      drafts.drop(location);
      writer.showDone(
        DONE[form.name] ?? `${titleOfForm(form)}: done.`,
        form.erases ? undefined : created,
      );
      return output;
    } catch (error) {
      setFailure(getFailure(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { texts, failure, isBusy, isReady, change, submit, drop: () => drafts.drop(location) };
}

function hasRoute(name: string): name is RoutedOperation {
  return Object.hasOwn(ROUTES, name);
}

/** Converts the form to changeset ops for a dry run; undefined if the operation has no op. */
function getOps(form: OperationForm, texts: Texts): object[] | undefined {
  if (form === SUPERSEDE_FORM) return supersedeOps(texts);
  return form.op === undefined ? undefined : [{ op: form.op, ...getInput(form, texts) }];
}
