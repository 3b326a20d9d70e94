import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { ItemLink } from "../../components/link.tsx";
import { Said } from "../../components/said.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import type { Lane } from "./story-lanes.ts";

interface StoryTableProps {
  readonly lanes: readonly Lane[];
  readonly episodes: OutputOf<"items">["items"];
}

export function StoryTable({ lanes, episodes }: StoryTableProps) {
  const rows = [
    ...lanes.flatMap(({ title, facts }) =>
      facts.map((fact) => ({
        lane: title,
        id: fact.id,
        from: fact.valid_from,
        to: fact.valid_to,
        text: fact.statement,
      })),
    ),
    ...episodes.map(({ id, at, text }) => ({ lane: "Episodes", id, from: at, to: at, text })),
  ].sort((a, b) => a.from.localeCompare(b.from));
  return (
    <>
      {rows.length > 0 && (
        <SaveList
          name="story"
          columns={fields<(typeof rows)[number]>("from", "to", "lane", "id", "text")}
          pages={() => allAtOnce(rows)}
        />
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Until</th>
            <th scope="col">Of</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, lane, from, to, text }) => (
            <tr key={id}>
              <td>{from.slice(0, 10)}</td>
              <td>{to === null ? "now" : to.slice(0, 10)}</td>
              <td>
                <Stored text={lane} />
              </td>
              <td>
                <ItemLink id={id}>
                  <Said text={shorten(text, 200)} />
                </ItemLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
