import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { isMissingFile } from "../errors.ts";
import { type ChainPlace, firstHead } from "./chain-place.ts";

/** The last entry, kept apart, so that a log that was cut is found out. */
const chainHead = z.strictObject({
  n: z.number().int().min(0),
  hash: z.string(),
  /** The oldest entry that is kept; absent: 1. */
  first: z.number().int().min(1).optional(),
});

export type ChainHead = z.output<typeof chainHead>;

export interface ChainHeads {
  /** Of the two, the one that knows of more; undefined: nothing was noted. */
  readonly last: ChainHead | undefined;
  /** What is wrong with the heads themselves, in words. */
  readonly problem: string | undefined;
}

/** Both places in which the last entry is noted; one that lags behind was killed between them. */
export async function readHeads(place: ChainPlace): Promise<ChainHeads> {
  const [beside, apart] = await Promise.all([
    readHead(firstHead(place)),
    readHead(place.secondHead),
  ]);
  if (beside === "unreadable" || apart === "unreadable") {
    const last = [beside, apart].find((head) => head !== "unreadable" && head !== undefined);
    return { last: last as ChainHead | undefined, problem: "The head of the log cannot be read." };
  }
  if (beside === undefined || apart === undefined)
    return { last: beside ?? apart, problem: undefined };
  if (beside.n === apart.n && beside.hash !== apart.hash) {
    return { last: apart, problem: "The two heads of the log name different entries." };
  }
  return { last: beside.n > apart.n ? beside : apart, problem: undefined };
}

/** Each replaced as a whole: half a head would count as a log that was cut. */
export async function writeHeads(place: ChainPlace, { n, hash, first }: ChainHead): Promise<void> {
  const text = JSON.stringify({ n, hash, ...(first !== undefined && { first }) });
  for (const path of [firstHead(place), place.secondHead]) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

async function readHead(path: string): Promise<ChainHead | "unreadable" | undefined> {
  try {
    return chainHead.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    return isMissingFile(error) ? undefined : "unreadable";
  }
}
