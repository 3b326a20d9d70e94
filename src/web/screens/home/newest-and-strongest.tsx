import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ItemLines } from "../item/item-lines.tsx";

const MAX_ITEMS = 8;

export function NewestAndStrongest({ countPause }: { readonly countPause: number }) {
  const { as_of: then } = usePage().router.place.value.query;
  const asked = { kinds: ["episode"], limit: MAX_ITEMS, ...(then && { as_of: then }) };
  const newest = useQuestion("items", asked, { pause: 1_000 });
  const scope = `bootstrap:${MAX_ITEMS}`;
  const strongest = useQuestion("snapshot", { scopes: [scope] }, { pause: countPause });
  const strong = then ? [] : conceptsOf(strongest.output?.[scope]);
  return (
    <div class="columns">
      <section>
        <h2>Newest</h2>
        <ItemLines of={newest.output?.items ?? []} />
      </section>
      {strong.length > 0 && (
        <section>
          <h2>Strongest concepts</h2>
          <ItemLines
            of={strong.map(({ id, title, summary, type }) => ({ id, type, title, text: summary }))}
          />
        </section>
      )}
    </div>
  );
}

interface Strong {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly type: string;
}

function conceptsOf(section: unknown): Strong[] {
  return ((section as { concepts?: Strong[] } | undefined)?.concepts ?? []).slice(0, MAX_ITEMS);
}
