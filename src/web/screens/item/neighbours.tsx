import { fields, SaveList } from "../../components/save-list.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { SaveItems } from "../find/save-found.tsx";
import { ItemLines } from "./item-lines.tsx";

export function Neighbours({
  id,
  session,
}: {
  readonly id: string;
  readonly session: string | null;
}) {
  const near = useQuestion("graph_neighbourhood", { center: id, depth: 1, limit: 40 });
  const beside = useQuestion(
    "items",
    { session: [session ?? ""], kinds: ["episode"], sort: "oldest", limit: 200 },
    { when: session !== null },
  );
  const rows = beside.output?.items ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const around = at < 0 ? [] : rows.slice(Math.max(0, at - 3), at + 4);
  const nodes = near.output?.nodes.filter((node) => node.id !== id) ?? [];
  return (
    <>
      {around.length > 1 && (
        <section>
          <h2>Same session</h2>
          <SaveItems
            name="session"
            filter={{ session: [session ?? ""], kinds: ["episode"], sort: "oldest" }}
          />
          <ItemLines of={around} present={id} />
        </section>
      )}
      {nodes.length > 0 && (
        <section>
          <h2>Connected</h2>
          <SaveList
            name="connected"
            columns={fields<(typeof nodes)[number]>("id", "type", "title", "at")}
            pages={() => allAtOnce(nodes)}
          />
          <ItemLines
            of={nodes.map(({ id: node, type, title, at: when }) => ({
              id: node,
              type,
              text: title,
              at: when,
            }))}
          />
        </section>
      )}
      {around.length < 2 && nodes.length === 0 && near.output !== undefined && (
        <p class="quiet">Nothing is connected with it.</p>
      )}
    </>
  );
}
