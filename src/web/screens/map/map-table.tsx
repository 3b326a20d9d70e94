import { shorten } from "../../../kernel/shorten.ts";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import type { MapEdge, MapNode } from "../../map/scene.ts";

/** The same data as the picture, in words. */
export function MapTable({
  nodes,
  edges,
}: {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}) {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return (
    <div class="map-table">
      <SaveList
        name="connections"
        columns={{
          from: ({ source }) => source,
          from_title: ({ source }) => titles.get(source),
          type: ({ type }) => type,
          to: ({ target }) => target,
          to_title: ({ target }) => titles.get(target),
          ...fields<MapEdge>("kind", "strength", "valid_to"),
        }}
        pages={() => allAtOnce(edges)}
      />
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
              <td>
                <ItemLink id={source}>
                  <Stored text={shorten(titles.get(source) ?? source, 120)} />
                </ItemLink>
              </td>
              <td>
                {type.replaceAll("_", " ")}
                {ended !== null && ` until ${ended.slice(0, 10)}`}
              </td>
              <td>
                <ItemLink id={target}>
                  <Stored text={shorten(titles.get(target) ?? target, 120)} />
                </ItemLink>
              </td>
              <td class="number">{strength.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
    </div>
  );
}
