import { piecesOf } from "../data/stored-text.ts";

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
 * The one place where stored text is drawn: never as markup, its direction its own, and controls that
 * would reorder it shown as what they are.
 */
export function Stored({ text, as: Tag = "bdi", ...rest }: StoredProps) {
  return (
    <Tag dir="auto" {...rest}>
      {piecesOf(text).map(({ text: part, control }, index) =>
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
