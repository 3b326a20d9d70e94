import { getPieces } from "../data/stored-text.ts";

interface StoredProps {
  readonly text: string;
  readonly as?:
    | "bdi"
    | "span"
    | "div"
    | "p"
    | "pre"
    | "h1"
    | "h2"
    | "b"
    | "strong"
    | "em"
    | "code"
    | "ins"
    | "del"
    | "mark";
  readonly class?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Renders stored text safely: no markup, isolated text direction, visible control characters. All
 * stored text must be rendered by this component.
 */
export function Stored({ text, as: Tag = "bdi", ...rest }: StoredProps) {
  return (
    <Tag dir="auto" {...rest}>
      {getPieces(text).map(({ text: part, control }, index) =>
        control === undefined ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
          <span key={index} class="control-mark" title={control}>
            {part}
          </span>
        ),
      )}
    </Tag>
  );
}

/** Shows a source reference, as a link only if it is an http or https address. */
export function Source({ source }: { readonly source: string }) {
  if (!/^https?:\/\//i.test(source)) return <Stored as="span" class="source" text={source} />;
  return (
    <a class="source" href={source} target="_blank" rel="noopener noreferrer">
      <Stored text={source} />
    </a>
  );
}

interface HighlightedProps {
  readonly text: string;
  readonly words: readonly string[];
}

/** Stored text with the words of a search marked. */
export function Highlighted({ text, words }: HighlightedProps) {
  if (words.length === 0) return <Stored text={text} />;
  const pattern = words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")).join("|");
  return (
    <>
      {text.split(new RegExp(`(${pattern})`, "giu")).map((part, index) => {
        if (part === "") return null;
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        return <Stored key={index} as={index % 2 === 1 ? "mark" : "bdi"} text={part} />;
      })}
    </>
  );
}
