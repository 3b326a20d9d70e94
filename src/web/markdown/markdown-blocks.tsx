import { marked, type Token, type Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../components/copy-button.tsx";
import { Stored } from "../components/stored.tsx";

interface Lexed {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Number of final blocks that appended text can change: a list may join the block before it. */
const UNSTABLE_BLOCKS = 2;

/** Parses Markdown; while a response streams, only its end is parsed again. */
export function lexMarkdown(written: string, previous?: Lexed): Lexed {
  const text = written.replace(/\r\n?/g, "\n");
  const isGrown = previous !== undefined && text.startsWith(previous.text);
  const stable = isGrown ? previous.tokens.slice(0, -UNSTABLE_BLOCKS) : [];
  const length = stable.reduce((sum, { raw }) => sum + raw.length, 0);
  const rest = marked.lexer(text.slice(length), { gfm: true, breaks: true });
  return { text, tokens: [...stable, ...rest] };
}

/**
 * Renders untrusted Markdown: only the token types listed here become elements, HTML stays text,
 * and links only lead to web addresses.
 */
export function MarkdownBlocks({ text }: { readonly text: string }) {
  const previous = useRef<Lexed | undefined>(undefined);
  previous.current = useMemo(() => lexMarkdown(text, previous.current), [text]);
  return (
    <div class="markdown">
      {previous.current.tokens.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <Block key={index} token={token} />
      ))}
    </div>
  );
}

function Block({ token }: { readonly token: Token }): VNode | null {
  return useMemo(() => drawBlock(token as Tokens.Generic), [token.raw, token.type]);
}

function drawBlock(token: Tokens.Generic): VNode | null {
  switch (token.type) {
    case "space":
      return null;
    case "code":
      return <CodeBlock token={token as Tokens.Code} />;
    case "heading": {
      const { depth } = token as Tokens.Heading;
      return (
        <p
          class="text-heading"
          data-level={depth}
          role="heading"
          aria-level={Math.min(6, depth + 1)}
          dir="auto"
        >
          <Inline tokens={token.tokens} />
        </p>
      );
    }
    case "hr":
      return <hr />;
    case "blockquote":
      return <blockquote dir="auto">{blocks(token.tokens)}</blockquote>;
    case "list":
      return <ListBlock token={token as Tokens.List} />;
    case "table":
      return <TableBlock token={token as Tokens.Table} />;
    case "paragraph":
    case "text":
      return (
        <p dir="auto">
          <Inline tokens={token.tokens ?? [token]} />
        </p>
      );
    default:
      return <Stored as="p" text={token.raw.trimEnd()} />;
  }
}

function blocks(tokens: readonly Token[] = []): ComponentChildren {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function CodeBlock({ token: { lang = "", text } }: { readonly token: Tokens.Code }) {
  const language = lang.split(/\s/, 1)[0] ?? "";
  return (
    <figure class="code-figure">
      <figcaption>
        <Stored as="span" class="quiet" text={language === "" ? "text" : language} />
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      <div tabIndex={0} role="region" aria-label={`Code, ${language === "" ? "text" : language}`}>
        <Stored as="pre" text={text} />
      </div>
    </figure>
  );
}

function ListBlock({ token: { ordered, start, items } }: { readonly token: Tokens.List }) {
  const drawn = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
    <li key={index} dir="auto" class={item.task ? "task" : undefined}>
      {item.tokens.map((token, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ItemPart key={at} token={token as Tokens.Generic} />
      ))}
    </li>
  ));
  return ordered ? <ol start={Number(start)}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function ItemPart({ token }: { readonly token: Tokens.Generic }) {
  if (token.type === "checkbox") return <Checkbox isChecked={token.checked} />;
  if (token.type !== "text") return <Block token={token} />;
  return <Inline tokens={token.tokens ?? [token]} />;
}

function Checkbox({ isChecked }: { readonly isChecked: boolean }) {
  return (
    <span role="img" aria-label={isChecked ? "done" : "open"}>
      {isChecked ? "☑ " : "☐ "}
    </span>
  );
}

function TableBlock({ token: { header, rows } }: { readonly token: Tokens.Table }) {
  const cells = (Tag: "td" | "th", row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens, align }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
      <Tag key={index} data-align={align ?? undefined} dir="auto">
        <Inline tokens={tokens} />
      </Tag>
    ));
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>{cells("th", header)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>{cells("td", row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ tokens = [] }: { readonly tokens: readonly Token[] | undefined }) {
  return (
    <>
      {tokens.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        <Piece key={index} token={token as Tokens.Generic} />
      ))}
    </>
  );
}

function Piece({ token }: { readonly token: Tokens.Generic }) {
  switch (token.type) {
    case "strong":
    case "em":
    case "del": {
      const Tag = token.type;
      return (
        <Tag>
          <Inline tokens={token.tokens} />
        </Tag>
      );
    }
    case "codespan":
      return <Stored as="code" text={token.text} />;
    case "br":
      return <br />;
    case "checkbox":
      return <Checkbox isChecked={token.checked} />;
    case "link":
      return <WebLink token={token as Tokens.Link} />;
    case "image":
      return <ImageLink token={token as Tokens.Image} />;
    case "escape":
      return <Stored text={token.text} />;
    case "text":
      if (token.tokens !== undefined) return <Inline tokens={token.tokens} />;
      return <Stored text={withoutEntities(token.text)} />;
    default:
      return <Stored text={token.raw} />;
  }
}

/** Shows the host unless the text contains it, since the model chooses the link text. */
function WebLink({ token: { href, tokens, text } }: { readonly token: Tokens.Link }) {
  const url = webAddress(href);
  if (url === undefined) {
    return (
      <>
        <Inline tokens={tokens} />
        {text !== href && (
          <>
            {" "}
            (<Stored as="code" text={href} />)
          </>
        )}
      </>
    );
  }
  const isShown = text === href || text === url.href;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <Inline tokens={tokens} />
      </a>
      {!isShown && <Stored as="span" class="quiet host" text={` (${url.host})`} />}
    </>
  );
}

/** Shows a web image as a link: loading it would reveal to its server that it was seen. */
function ImageLink({ token: { href, text } }: { readonly token: Tokens.Image }) {
  const url = webAddress(href);
  const title = text === "" ? "image" : text;
  if (url === undefined) return <Stored text={`${title} (${href.slice(0, 200)})`} />;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <Stored text={title} />
      </a>
      <Stored as="span" class="quiet host" text={` (image, ${url.host})`} />
    </>
  );
}

function webAddress(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

function withoutEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
