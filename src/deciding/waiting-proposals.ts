import { type Memory, type OutputOf, ownersOf } from "../memory/index.ts";
import type { AcceptRule } from "./settings.ts";

export type Proposal = OutputOf<"list_proposals">["proposals"][number];

export interface Waiting {
  readonly proposal: Proposal;
  /** Who is asked; empty: anybody who may decide. */
  readonly owners: readonly string[];
  /** Whole days since it was first said. */
  readonly days: number;
}

/** One proposal, as whoever decides about it wants it. */
export interface WaitingProposal extends Waiting {
  /** Ids of facts that it may contradict, and of what it would replace. */
  readonly against: readonly string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** More are not looked into; the count says how many there are. */
const MOST = 200;

/** What waits in a memory, the oldest first: also what has faded, since nobody has decided it. */
export async function waitingProposals(
  memory: Memory,
  { owners, now }: { readonly owners: readonly string[]; readonly now: Date },
): Promise<Waiting[]> {
  const lists = await Promise.all(
    (["open", "faded"] as const).map((status) =>
      memory.execute("list_proposals", { status, limit: MOST }),
    ),
  );
  const all = lists.flatMap(({ proposals }) => proposals);
  const oldest = [...all].sort((a, b) => Number(a.created_at > b.created_at) || -1);
  return oldest.map((proposal) => ({
    proposal,
    owners: ownersOf(proposal, owners),
    days: Math.floor((now.getTime() - Date.parse(proposal.created_at)) / DAY_MS),
  }));
}

/** The same with what they contradict, which is found by trying. */
export async function withContradictions(
  memory: Memory,
  waiting: readonly Waiting[],
): Promise<WaitingProposal[]> {
  const found: WaitingProposal[] = [];
  for (const one of waiting) {
    found.push({ ...one, against: await contradicted(memory, one.proposal) });
  }
  return found;
}

/** What accepting it would come up against: it is accepted, and all of it taken back. */
async function contradicted(
  memory: Memory,
  { id, episode_type: type, content, entities }: Proposal,
) {
  const accept = { op: "accept", proposal_id: id };
  const claim = { op: "remember", content, episode_type: type, entities };
  const changeset = JSON.stringify(type === "fact" ? [claim] : [accept]);
  const { results } = await memory.execute("apply", { changeset, dry_run: true });
  return results.flatMap(({ collisions, replaced }) => [...idsIn(collisions), ...idsIn(replaced)]);
}

function idsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    if (typeof one === "string") return [one];
    const id = typeof one === "object" && one !== null && "id" in one ? one.id : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

/** The rule that a proposal fits; whether it contradicts anything is another question. */
export function ruleFor({ proposal }: Waiting, rules: readonly AcceptRule[]): number | undefined {
  if (proposal.corrects || proposal.rejects.length > 0) return undefined;
  const index = rules.findIndex(
    ({ types, by, labels }) =>
      (types.length === 0 || types.includes(proposal.episode_type)) &&
      (by.length === 0 || by.includes(proposal.asserted_by ?? "")) &&
      labels.every((label) => proposal.labels.includes(label)),
  );
  return index < 0 ? undefined : index;
}
