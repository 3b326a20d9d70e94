import { shorten } from "../../../shared/text.ts";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import { type Draft, EVIDENCE } from "./draft-changeset.ts";
import type { PendingBatch } from "./pending-batch.ts";

interface BatchEpisodesProps {
  readonly episodes: PendingBatch["episodes"];
  readonly evidence: Draft["evidence"];
  onChange(evidence: Draft["evidence"]): void;
}

/** The episodes of a batch, each with how it bears on the concept. */
export function BatchEpisodes({ episodes, evidence, onChange }: BatchEpisodesProps) {
  const { session } = usePage();
  return (
    <ul class="lines">
      {episodes.map(({ id, content, episode_type: type }) => (
        <li key={id}>
          <span class="type" data-type={type}>
            {type}
          </span>
          <ItemLink id={id}>
            <Stored as="span" class="line-text" text={shorten(content, 400)} />
          </ItemLink>
          {session.canWrite && (
            <select
              aria-label={`How ${id} bears on the concept`}
              value={evidence[id] ?? ""}
              onChange={({ currentTarget }) => onChange({ ...evidence, [id]: currentTarget.value })}
            >
              <option value="">a source</option>
              {EVIDENCE.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value="none">not part of it</option>
            </select>
          )}
        </li>
      ))}
    </ul>
  );
}
