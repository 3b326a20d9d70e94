import { type ChangesetPart, splitChangeset } from "../../memory/index.ts";

/** Ops of one transaction: enough to cost little each, few enough to let others write in between. */
const PART_OPS = 1000;
const PART_CHARS = 4 * 1024 * 1024;
/** Characters that one transaction takes. */
const MOST_CHARS = 64 * 1024 * 1024;

export type OpenChangeset =
  /** The changeset is small enough for one transaction. */
  { readonly whole: string } | { readonly parts: AsyncIterable<ChangesetPart> };

/** Reads just enough of a changeset to tell whether it fits one transaction. */
export async function openChangeset(
  chunks: AsyncIterable<string>,
  mostOps: number,
): Promise<OpenChangeset> {
  const read: string[] = [];
  let isTold = false;
  async function* noted() {
    for await (const chunk of chunks) {
      if (!isTold) read.push(chunk);
      yield chunk;
    }
  }
  const parts = splitChangeset(noted(), {
    ops: Math.min(PART_OPS, mostOps),
    chars: PART_CHARS,
  });
  const first: ChangesetPart[] = [];
  let ops = 0;
  let chars = 0;
  while (ops <= mostOps && chars <= MOST_CHARS) {
    const part = await parts.next();
    if (part.done === true) return { whole: read.join("") };
    first.push(part.value);
    ops += part.value.ops;
    chars += part.value.text.length;
  }
  isTold = true;
  read.length = 0;
  return { parts: inOrder(first, parts) };
}

async function* inOrder(first: ChangesetPart[], others: AsyncIterable<ChangesetPart>) {
  for (let part = first.shift(); part !== undefined; part = first.shift()) yield part;
  yield* others;
}
