import { CopyMenu } from "../../components/copy-menu.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";

export function UnsavedDraft({ id }: { readonly id: string }) {
  const { drafts, router } = usePage();
  const place = { db: router.place.value.db, id };
  const draft = drafts.has(place) ? drafts.find(place) : undefined;
  if (draft === undefined) return null;
  const changed = Object.entries(draft.texts).filter(
    ([name, text]) => text !== draft.initial[name],
  );
  return (
    <section class="notice warn" role="alert">
      <p>It was deleted while you were writing. Your text is kept; restore the item to save it.</p>
      {changed.map(([name, text]) => (
        <Stored key={name} as="pre" class="json" text={text} />
      ))}
      <div class="item-actions">
        <CopyMenu of={[{ title: "text", text: changed.map(([, text]) => text).join("\n\n") }]} />
        <button type="button" class="button" onClick={() => drafts.drop(place)}>
          Throw it away
        </button>
      </div>
    </section>
  );
}
