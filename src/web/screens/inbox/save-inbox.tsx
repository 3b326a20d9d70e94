import type { OutputOf } from "../../../memory/index.ts";
import { fields, SaveList } from "../../components/save-list.tsx";
import { behindCursor, pagesOf } from "../../data/pages-of.ts";
import { usePage } from "../../page.ts";
import { SaveItems } from "../find/save-found.tsx";

type Conflict = OutputOf<"list_conflicts">["conflicts"][number];
type Proposal = OutputOf<"list_proposals">["proposals"][number];

/** Each part of the inbox as a file; what the agent asks is no list that outlives its answers. */
export function SaveInbox({ part }: { readonly part: string }) {
  const { client, router } = usePage();
  const { db, query } = router.place.value;
  const { as_of: then } = query;
  const opened = { status: "open", ...(then && { until: then }) } as const;
  switch (part) {
    case "conflicts":
      return (
        <SaveList<Conflict>
          name="conflicts"
          columns={{
            ...fields<Conflict>("id", "kind", "severity", "status"),
            a: ({ fact_a: fact }) => fact.statement,
            a_from: ({ fact_a: fact }) => fact.valid_from,
            b: ({ fact_b: fact }) => fact.statement,
            b_from: ({ fact_b: fact }) => fact.valid_from,
            ...fields<Conflict>("description", "created_at"),
          }}
          pages={() =>
            pagesOf(client, "list_conflicts", {
              db,
              input: opened,
              read: ({ conflicts }) => conflicts,
              next: behindCursor,
            })
          }
        />
      );
    case "collisions":
      return (
        <SaveItems
          name="collisions"
          filter={{ kinds: ["fact"], has: ["collision"], ...(then && { as_of: then }) }}
        />
      );
    case "proposals":
      return (
        <SaveList<Proposal>
          name="proposals"
          columns={fields<Proposal>(
            ...(["id", "status", "content", "episode_type", "entities", "labels"] as const),
            ...(["asserted_by", "session", "reason", "times", "created_at"] as const),
          )}
          pages={() =>
            pagesOf(client, "list_proposals", {
              db,
              input: opened,
              read: ({ proposals }) => proposals,
              next: behindCursor,
            })
          }
        />
      );
    case "pending":
      return <SaveItems name="pending" filter={{ kinds: ["episode"], pending: true }} />;
    default:
      return null;
  }
}
