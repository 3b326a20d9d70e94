import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemWords } from "../../components/item-words.tsx";
import { ItemLink } from "../../components/link.tsx";
import type { Recalled } from "./recalled.ts";
import { ScoreBar } from "./score-bar.tsx";

interface RecalledItemProps {
  readonly item: Recalled;
  readonly rank: number;
  /** The largest activation of the answer: all bars have one scale. */
  readonly most: number;
}

/** One item of an answer, with how its score came about. */
export function RecalledItem({ item, rank, most }: RecalledItemProps) {
  const { explain } = item;
  return (
    <li class="recalled" data-given={item.isGiven}>
      <p class="recalled-head">
        <span class="rank">{rank}</span>
        <TypeBadge type={item.type} />
        <ItemLink id={item.id} />
        <Marks of={{ open_conflicts: item.openConflicts }} />
        {item.source !== undefined && <span class="quiet">{item.source}</span>}
        <Age at={item.at} />
        <strong class="score">{item.score.toFixed(2)}</strong>
      </p>
      {explain !== undefined && <ScoreBar of={explain} most={most} />}
      <ItemLink id={item.id}>
        <span class="recalled-text">
          <ItemWords of={item} chars={600} />
        </span>
      </ItemLink>
      {explain !== undefined && (
        <details>
          <summary>How it got here</summary>
          <table>
            <caption>
              {item.score.toFixed(2)} = 1 − e<sup>−{explain.activation}</sup>
              {explain.cosine !== undefined && `, cosine ${explain.cosine.toFixed(3)}`}
            </caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">From</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              {explain.contributions.map(({ kind, from, amount }) => (
                <tr key={`${kind} ${from}`}>
                  <td>
                    <span class="swatch" data-part={kind} aria-hidden="true" /> {kind}
                  </td>
                  <td>{from === "query" ? "the question" : <ItemLink id={from} />}</td>
                  <td class="number">{amount}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}
