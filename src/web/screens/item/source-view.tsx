import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Source, Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { TextBody } from "../../markdown/text-body.tsx";
import { usePage } from "../../page.ts";
import { MissingItem } from "./missing-item.tsx";

type Passage = OutputOf<"get_passage">;

const PAGE_SIZE = 50;

/** Shows a source: a session by turn, a history by commit, a file by section. */
export function SourceView({ id }: { readonly id: string }) {
  const { router } = usePage();
  const { query } = router.location.value;
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1);
  const { output, failure, retry } = useQuery("get_source", {
    source_id: id,
    page,
    limit: PAGE_SIZE,
  });
  if (output === undefined) return <MissingItem id={id} failure={failure} retry={retry} />;
  const { source, passages, total } = output;
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return (
    <article class="item source-page">
      <header>
        <p class="item-line">
          <Stored as="span" class="id" text={id} />
          <TypeBadge type={source.kind} />
          {source.deleted_at !== null && <span class="mark danger">deleted</span>}
          {source.last_at !== null && <Age at={source.last_at} />}
        </p>
        <Stored as="h1" text={source.title === "" ? source.key : source.title} />
      </header>
      <p class="quiet">
        {total.toLocaleString("en")} {total === 1 ? "passage" : "passages"}
        {source.place !== null && (
          <>
            {" in "}
            <Source source={source.place} />
          </>
        )}
        {source.unlearned > 0 && `, ${source.unlearned.toLocaleString("en")} not processed`}
      </p>
      <ol class="passages" aria-label="Passages">
        {passages.map((passage) => (
          <li key={passage.id}>
            <PassageHead passage={passage} />
            <TextBody text={passage.text} isMarkdown={isMarkdown(passage)} />
            <Files files={passage.files} />
          </li>
        ))}
      </ol>
      {total === 0 && <p class="empty">This source has no passages.</p>}
      {pages > 1 && (
        <nav class="item-actions" aria-label="Pages">
          {page > 1 && <PageLink to={page - 1}>Previous</PageLink>}
          <span class="quiet">
            Page {page} of {pages}
          </span>
          {page < pages && <PageLink to={page + 1}>Next</PageLink>}
        </nav>
      )}
    </article>
  );

  function PageLink({ to, children }: { readonly to: number; readonly children: string }) {
    const { sel = "" } = query;
    const target =
      sel === ""
        ? router.href({ screen: "item", id, query: { page: String(to) } })
        : router.href({ screen: "find", query: { ...query, page: String(to) } });
    return (
      <Link class="button" to={target}>
        {children}
      </Link>
    );
  }
}

/** The message, commit or section that a memory was learned from. */
export function PassageView({ id }: { readonly id: string }) {
  const { output, failure, retry } = useQuery("get_passage", { passage_id: id });
  if (output === undefined) return <MissingItem id={id} failure={failure} retry={retry} />;
  return (
    <article class="item source-page">
      <header>
        <h1 class="unseen">{id}</h1>
        <PassageHead passage={output} />
      </header>
      <TextBody text={output.text} isMarkdown={isMarkdown(output)} isWhole />
      <Files files={output.files} />
      <p class="item-actions">
        <ItemLink id={output.source_id}>
          {output.kind === "git" ? "Show the history" : "Show the whole source"}
        </ItemLink>
      </p>
    </article>
  );
}

/** True for sections of Markdown files and for agent responses in a session. */
function isMarkdown({ role, by }: Passage): boolean {
  return role === "section" || (role === "turn" && by === "assistant");
}

function PassageHead({ passage }: { readonly passage: Passage }) {
  return (
    <p class="item-line">
      <Stored as="b" text={passage.by} />
      <TypeBadge type={passage.role} />
      <ItemLink id={passage.id} />
      {passage.branch !== null && <Stored as="span" class="quiet" text={`on ${passage.branch}`} />}
      <Age at={passage.occurred_at} />
    </p>
  );
}

function Files({ files }: { readonly files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <p class="about">
      Files{" "}
      {files.map((file) => (
        <ItemLink key={file} id={`file:${file}`}>
          <Stored text={file} />
        </ItemLink>
      ))}
    </p>
  );
}
