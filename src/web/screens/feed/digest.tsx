import type { OutputOf } from "../../../memory/index.ts";
import { DayField } from "../../components/day-field.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { NamedItem } from "../../components/named-item.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

type OfAuthor = OutputOf<"digest">["authors"][number];

const PARTS = [
  { name: "learned", title: "Learned" },
  { name: "changed", title: "Changed" },
  { name: "contradicted", title: "Contradicted" },
  { name: "forgotten", title: "Forgotten" },
] as const;

/** What became of memory on a day, by author: of yesterday unless another is chosen. */
export function Digest() {
  const { router } = usePage();
  const { day = "" } = router.place.value.query;
  const { output, failure, again } = useQuestion("digest", {
    ...(day !== "" && { since: day, until: day }),
  });
  return (
    <div class="page-body digest">
      <div class="screen-head">
        <h1>Digest of {day === "" ? "yesterday" : day}</h1>
        <div class="feed-filters">
          <DayField
            label="Day"
            value={day === "" ? (output?.since.slice(0, 10) ?? "") : day}
            onChange={(chosen) => router.setQuery({ day: chosen }, "push")}
          />
          <Link class="button" to={router.href({ screen: "feed", query: { day } })}>
            Every change
          </Link>
        </div>
      </div>
      {failure !== undefined && <Failure of={failure} again={again} />}
      {output === undefined && failure === undefined && <Waiting rows={6} />}
      {output?.authors.length === 0 && <p class="empty">Nothing was written on that day.</p>}
      {output?.authors.map((one) => (
        <section key={one.author} aria-label={one.author}>
          <h2>
            <Stored text={one.author} />{" "}
            <span class="quiet">
              {one.changes} {one.changes === 1 ? "change" : "changes"}
            </span>
          </h2>
          {PARTS.filter(({ name }) => one[name].count > 0).map(({ name, title }) => (
            <Part key={name} title={title} of={one[name]} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Part({ title, of }: { readonly title: string; readonly of: OfAuthor["learned"] }) {
  const { router } = usePage();
  const more = of.count - of.items.length;
  return (
    <>
      <h3>
        {title} {of.count}
      </h3>
      <ul class="lines">
        {of.items.map(({ id, type, text, change }) => (
          <li key={id}>
            <NamedItem id={id} type={type} text={text} />
            <Link class="id" to={router.href({ screen: "feed", query: { change } })}>
              {change}
            </Link>
          </li>
        ))}
        {more > 0 && <li class="quiet">and {more} more</li>}
      </ul>
    </>
  );
}
