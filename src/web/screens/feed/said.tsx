import { Difference } from "../../components/difference.tsx";
import { Stored } from "../../components/stored.tsx";

/** Fields of one item that are listed. */
const MAX_FIELDS = 50;

interface SaidProps {
  readonly text: string | undefined;
  readonly fields: readonly { field: string; before?: unknown; after?: unknown }[];
}

export function Said({ text, fields }: SaidProps) {
  return (
    <span class="said">
      {text !== undefined && <Stored as="span" class="line-text" text={text} />}
      {fields.slice(0, MAX_FIELDS).map(({ field, before, after }) => (
        <span key={field} class="field-change">
          <span class="quiet">{field}</span> <Difference before={before} after={after} />
        </span>
      ))}
    </span>
  );
}
