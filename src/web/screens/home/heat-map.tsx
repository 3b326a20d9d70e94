import type { OutputOf } from "../../../memory/index.ts";
import { usePage } from "../../page.ts";

const DAYS = 90;
const DAY_MS = 86_400_000;

export function Days({ of }: { readonly of: OutputOf<"timeline">["buckets"] }) {
  const { router } = usePage();
  const counts = new Map(of.map(({ start, count }) => [start, count]));
  const today = Date.now();
  const days = Array.from({ length: DAYS }, (_, back) =>
    new Date(today - (DAYS - 1 - back) * DAY_MS).toISOString().slice(0, 10),
  );
  const most = Math.max(1, ...days.map((day) => counts.get(day) ?? 0));
  const total = days.reduce((sum, day) => sum + (counts.get(day) ?? 0), 0);
  return (
    <figure class="days">
      <svg
        viewBox={`0 0 ${DAYS * 8} 48`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} items in the last ${DAYS} days`}
      >
        {days.map((day, index) => {
          const count = counts.get(day) ?? 0;
          const height = count === 0 ? 1.5 : 4 + (44 * count) / most;
          return (
            <rect
              key={day}
              class={count === 0 ? "none" : undefined}
              x={index * 8}
              y={48 - height}
              width={6}
              height={height}
              onClick={() =>
                router.go(router.href({ screen: "find", query: { since: day, until: day } }))
              }
            >
              <title>
                {day}: {count}
              </title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="quiet">
        <span>{days[0]}</span>
        <span>{total.toLocaleString("en")} in 90 days</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}
