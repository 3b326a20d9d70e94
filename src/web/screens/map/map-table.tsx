import { shorten } from "../../../shared/text.ts";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import type { MapEdge, MapNode } from "../../map/scene.ts";

interface MapTableProps {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

export function MapTable({ nodes, edges }: MapTableProps) {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return (
    <div class="map-table">
      <Connections edges={edges} titles={titles} />
      <Items nodes={nodes} />
    </div>
  );
}

interface ConnectionsProps {
  readonly edges: readonly MapEdge[];
  readonly titles: ReadonlyMap<string, string>;
}

function Connections({ edges, titles }: ConnectionsProps) {
  const item = (id: string) => (
    <ItemLink id={id}>
      <Stored text={shorten(titles.get(id) ?? id, 120)} />
    </ItemLink>
  );
  return (
    <table>
      <caption>Connections</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Connection</th>
          <th scope="col">Item</th>
          <th scope="col" class="number">
            Strength
          </th>
        </tr>
      </thead>
      <tbody>
        {edges.map(({ source, target, type, kind, strength, valid_to: ended }) => (
          <tr key={`${source} ${kind} ${type} ${target}`}>
            <td>{item(source)}</td>
            <td>
              {type.replaceAll("_", " ")}
              {ended !== null && ` until ${ended.slice(0, 10)}`}
            </td>
            <td>{item(target)}</td>
            <td class="number">{strength.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Items({ nodes }: { readonly nodes: readonly MapNode[] }) {
  return (
    <table>
      <caption>Items</caption>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Item</th>
          <th scope="col" class="number">
            Connected
          </th>
          <th scope="col" class="number">
            Not shown
          </th>
        </tr>
      </thead>
      <tbody>
        {nodes.map(({ id, type, title, degree, folded }) => (
          <tr key={id}>
            <td>
              <TypeBadge type={type} />
            </td>
            <td>
              <ItemLink id={id}>
                <Stored text={shorten(title, 160)} />
              </ItemLink>
            </td>
            <td class="number">{degree}</td>
            <td class="number">{folded}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
