import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import type { Writer } from "../../data/writer.ts";
import { usePage } from "../../page.ts";
import { type Choice, Decisions } from "./decisions.tsx";

type Proposal = OutputOf<"list_proposals">["proposals"][number];

/** Number of proposals loaded ahead, so that the next one appears immediately. */
const READY = 50;

export function Proposals() {
  const { writer, router } = usePage();
  const { as_of: asOf } = router.location.value.query;
  const { output, failure, retry } = useQuery("list_proposals", {
    status: "open",
    limit: READY,
    ...(asOf && { until: asOf }),
  });
  const choices = getChoices(writer);
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={4} />;
  return (
    <Decisions
      items={output.proposals}
      total={output.total ?? output.proposals.length}
      keyOf={({ id }) => id}
      wanted={router.location.value.query.proposal}
      choices={choices}
      label={({ id }) => `Proposal ${id}`}
      nothing="No open proposals."
    >
      {(proposal) => <ProposalCard proposal={proposal} />}
    </Decisions>
  );
}

function getChoices(writer: Writer): readonly Choice<Proposal>[] {
  return [
    {
      id: "keep-proposal",
      title: "Accept",
      key: "1",
      look: "primary",
      decide: ({ id }, options) =>
        writer.write(
          "accept_proposal",
          { proposal_id: id },
          { ...options, done: `Accepted ${id}.` },
        ),
    },
    {
      id: "reject-proposal",
      title: "Reject",
      key: "2",
      decide: ({ id }, options) =>
        writer.write(
          "reject_proposal",
          { proposal_id: id },
          { ...options, done: `Rejected ${id}.` },
        ),
    },
  ];
}

function ProposalCard({ proposal }: { readonly proposal: Proposal }) {
  const { id, content, episode_type: type, seen_at: at, times, asserted_by: by } = proposal;
  return (
    <>
      <p class="item-line">
        <code class="id">{id}</code>
        <TypeBadge type={type} />
        <Age at={at} />
        {by !== null && (
          <span>
            by <Stored text={by} />
          </span>
        )}
        {times > 1 && <span class="mark">said in {times.toLocaleString("en")} sessions</span>}
      </p>
      <h2 dir="auto">
        <Stored text={content} />
      </h2>
      {proposal.quotation !== null && (
        <blockquote class="quotation" dir="auto">
          <Stored text={proposal.quotation} />
        </blockquote>
      )}
      {proposal.evidence.length > 0 && (
        <p class="about">
          Source{" "}
          {proposal.evidence.map((passage) => (
            <ItemLink key={passage} id={passage} />
          ))}
        </p>
      )}
      {proposal.reason !== null && <Stored as="p" class="quiet" text={proposal.reason} />}
      {proposal.entities.length > 0 && (
        <p class="about">
          About{" "}
          {proposal.entities.map((entity) => (
            <ItemLink key={entity} id={entity} />
          ))}
        </p>
      )}
    </>
  );
}
