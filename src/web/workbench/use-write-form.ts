import { useState } from "preact/hooks";
import type { InputOf, OperationName } from "../../memory/index.ts";
import type { Texts } from "../data/drafts.ts";
import { failureOf, type RequestFailed } from "../data/request-failed.ts";
import { usePage } from "../page.ts";
import { filledFor, inputOf, missingFields } from "./form-values.ts";
import { type OperationForm, titleOfForm } from "./operation-form.ts";
import { SUPERSEDE_FORM, supersedeOps } from "./supersede-form.ts";

export function useWriteForm(form: OperationForm, ids: readonly string[]) {
  const { router, writer, drafts } = usePage();
  const { db } = router.place.peek();
  const place = { db, id: `form ${form.name} ${ids.join(" ")}` };
  const [initial] = useState(() => filledFor(form, ids));
  const [texts, setTexts] = useState<Texts>(() => drafts.find(place)?.texts ?? initial);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const isReady = missingFields(form, texts).length === 0;
  const change = (part: Texts) => {
    const next = { ...texts, ...part };
    setTexts(next);
    drafts.keep(place, { version: 0, initial, texts: next });
  };
  const submit = async (final: Texts): Promise<unknown> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const isChangeset = form === SUPERSEDE_FORM;
      // The form is made from the operation's schema, which the server checks again.
      const { output, change: made } = isChangeset
        ? await writer.attempt(
            "apply",
            { changeset: JSON.stringify(opsOf(form, final)) },
            { db, done: "" },
          )
        : await writer.attempt(
            form.name as OperationName,
            inputOf(form, final) as InputOf<OperationName>,
            { db, done: "" },
          );
      drafts.drop(place);
      writer.tellDone(`${titleOfForm(form)}: done.`, form.erases ? undefined : made);
      return output;
    } catch (error) {
      setFailure(failureOf(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { texts, failure, isBusy, isReady, change, submit, drop: () => drafts.drop(place) };
}

/** The same as ops of a changeset, which can be tried; undefined where it is no op. */
export function opsOf(form: OperationForm, texts: Texts): object[] | undefined {
  if (form === SUPERSEDE_FORM) return supersedeOps(texts);
  return form.op === undefined ? undefined : [{ op: form.op, ...inputOf(form, texts) }];
}
