import type { CopyChanges } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";
import { DiffView } from "./diff-view.tsx";

interface CopyFileProps {
  readonly of: CopyChanges["changes"][number];
  /** What is left out: paths, and pieces as `path:number`. */
  readonly left: ReadonlySet<string>;
  onLeave(name: string, isLeft: boolean): void;
}

/** One file of a copy, whole or piece by piece. */
export function CopyFile({ of, left, onLeave }: CopyFileProps) {
  const { path, kind, diff, pieces, conflict, isActedUpon } = of;
  const isLeft = left.has(path);
  return (
    <section class="copy-file" aria-label={path}>
      <label class="check">
        <input
          type="checkbox"
          checked={!isLeft}
          onChange={({ currentTarget }) => onLeave(path, !currentTarget.checked)}
        />
        <Stored as="code" text={path} /> <span class="mark">{kind}</span>
        {isActedUpon && <span class="mark warn">acted upon later, outside of the sandbox</span>}
      </label>
      {conflict !== undefined && <Stored as="p" class="notice warn" text={conflict} />}
      {!isLeft && pieces.length < 2 && <WholeChange diff={diff} />}
      {!isLeft &&
        pieces.length >= 2 &&
        pieces.map((piece, index) => {
          const name = `${path}:${index + 1}`;
          return (
            <div key={name} class="copy-piece">
              <label class="check">
                <input
                  type="checkbox"
                  checked={!left.has(name)}
                  onChange={({ currentTarget }) => onLeave(name, !currentTarget.checked)}
                />
                Piece {index + 1} of {pieces.length}
              </label>
              {!left.has(name) && <DiffView of={piece} />}
            </div>
          );
        })}
    </section>
  );
}

/** What is no text has no lines to show. */
function WholeChange({ diff }: { readonly diff: string }) {
  return diff.includes("\n@@ ") ? (
    <DiffView of={diff} />
  ) : (
    <Stored as="p" class="quiet" text={diff} />
  );
}
