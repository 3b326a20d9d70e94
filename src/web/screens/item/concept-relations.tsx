import { ItemLink } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";

import { allAtOnce } from "../../data/pages-of.ts";

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly strength: number;
}

interface ConceptRelationsProps {
  readonly of: string;
  readonly edges: readonly Edge[];
  readonly titles: ReadonlyMap<string, string>;
}

export function ConceptRelations({ of: id, edges, titles }: ConceptRelationsProps) {
  return (
    <>
      {edges.length > 0 && (
        <SaveList
          name="relations"
          columns={fields<Edge>("source", "type", "target", "strength")}
          pages={() => allAtOnce(edges)}
        />
      )}
      <ul class="lines">
        {edges.map(({ source, target, type, strength }) => {
          const isFromHere = source === id;
          const other = isFromHere ? target : source;
          const link = (
            <ItemLink id={other}>
              <Stored text={titles.get(other) ?? other} />
            </ItemLink>
          );
          const name = <span class="type">{type.replaceAll("_", " ")}</span>;
          return (
            <li key={`${source} ${type} ${target}`}>
              {isFromHere ? (
                <>
                  {name} {link}
                </>
              ) : (
                <>
                  {link} {name} <span class="quiet">this</span>
                </>
              )}
              <span class="quiet">{strength}</span>
            </li>
          );
        })}
        {edges.length === 0 && <li class="quiet">No concept leads to it, and it leads to none.</li>}
      </ul>
    </>
  );
}
