import type { ContributionKind } from "../../../memory/index.ts";
import type { Recalled } from "./recalled.ts";

type Explanation = NonNullable<Recalled["explain"]>;

/** In the order in which they are drawn; the type demands each part that a score can have. */
const DRAWN: Readonly<Record<ContributionKind, true>> = {
  text: true,
  vector: true,
  tokens: true,
  entity: true,
  date: true,
  session: true,
  neighbours: true,
  evidence: true,
  relations: true,
  echo: true,
  standing: true,
  question: true,
  voice: true,
  steps: true,
};
const PARTS = Object.keys(DRAWN) as ContributionKind[];

export function ScoreBar({ of, most }: { readonly of: Explanation; readonly most: number }) {
  return (
    <div class="score-bar" aria-hidden="true">
      {PARTS.map((part) => {
        const amount = of[part];
        if (!(amount > 0)) return null;
        const width = `${(100 * amount) / Math.max(most, 0.001)}%`;
        return <span key={part} data-part={part} title={`${part} ${amount}`} style={{ width }} />;
      })}
    </div>
  );
}

export function Legend({ of }: { readonly of: readonly Recalled[] }) {
  const used = PARTS.filter((part) => of.some(({ explain }) => (explain?.[part] ?? 0) > 0));
  return (
    <ul class="legend" aria-label="Parts of the scores">
      {used.map((part) => (
        <li key={part}>
          <span class="swatch" data-part={part} aria-hidden="true" />
          {part}
        </li>
      ))}
    </ul>
  );
}
