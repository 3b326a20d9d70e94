import { useEffect, useRef, useState } from "preact/hooks";
import { Keys } from "../components/keys.tsx";
import type { Texts } from "../data/drafts.ts";
import { FORMS } from "../data/forms.ts";
import { useQuestion } from "../data/use-question.ts";
import { Dialog } from "../shell/dialog.tsx";
import { FormField } from "./form-field.tsx";
import { type OperationForm, titleOfForm } from "./operation-form.ts";
import { Preview } from "./preview.tsx";
import { type PurgeAnswer, Purged } from "./purged.tsx";
import { SUPERSEDE_FORM } from "./supersede-form.ts";
import { opsOf, useWriteForm } from "./use-write-form.ts";

interface WorkbenchDialogProps {
  readonly name: string;
  readonly ids: readonly string[];
  onClose(): void;
}

/** One operation that writes, as a form drawn from its schema. */
export function WorkbenchDialog({ name, ids, onClose }: WorkbenchDialogProps) {
  const form = [SUPERSEDE_FORM, ...FORMS].find((one) => one.name === name);
  const [first = ""] = ids;
  const isSaid = form === SUPERSEDE_FORM && first.startsWith("ep:");
  const episode = useQuestion("get_episode", { episode_id: first }, { when: isSaid });
  if (form === undefined) return null;
  if (!isSaid) return <WriteDialog form={form} ids={ids} onClose={onClose} />;
  const fact = episode.output?.fact_id;
  if (episode.output === undefined) return null;
  if (fact == null) {
    return (
      <Dialog title={titleOfForm(form)} onClose={onClose}>
        <p class="fields">{first} states no fact that another one could replace.</p>
      </Dialog>
    );
  }
  return <WriteDialog form={form} ids={[fact]} onClose={onClose} />;
}

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
  const entities = useEntitiesOf(form, write.texts.old);
  const texts: Texts = { ...(entities !== undefined && { entities }), ...write.texts };
  const ops = write.isReady ? opsOf(form, texts) : undefined;
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
          {form.fields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              value={texts[field.name] ?? ""}
              onInput={(text) => write.change({ [field.name]: text })}
            />
          ))}
          {ops !== undefined && <Preview ops={ops} />}
          {form.erases && (
            <label class="check">
              <input
                type="checkbox"
                checked={isSure}
                onChange={({ currentTarget }) => setSure(currentTarget.checked)}
              />
              This cannot be undone. Forget it for good.
            </label>
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
      <button
        type="submit"
        class={form.erases ? "button danger" : "button primary"}
        disabled={!isReady}
      >
        {titleOfForm(form)} <Keys of={["Mod+Enter"]} />
      </button>
    </div>
  );
}

function useEntitiesOf(form: OperationForm, old: string | undefined): string | undefined {
  const isAsked = form === SUPERSEDE_FORM && /^fact:\d+$/.test(old ?? "");
  const fact = useQuestion("get_fact", { fact_id: old ?? "" }, { when: isAsked });
  return fact.output?.entities.join(", ");
}

/** The dialog itself would choose its first button. */
function useFocusOnFirstEmpty() {
  const body = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fields = body.current?.querySelectorAll<HTMLInputElement>("input, textarea, select");
    [...(fields ?? [])].find(({ value }) => value === "")?.focus();
  }, []);
  return body;
}
