import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { AuditEntry } from "./audit-entry.ts";
import { type AuditHead, type AuditPlace, auditHead, firstHead } from "./audit-files.ts";

export interface AuditHeads {
  /** Of the two, the one that knows of more; undefined: nothing was noted. */
  readonly last: AuditHead | undefined;
  /** What is wrong with the heads themselves, in words. */
  readonly problem: string | undefined;
}

/** Both places in which the last entry is noted; one that lags behind was killed between them. */
export async function readHeads(place: AuditPlace): Promise<AuditHeads> {
  const [beside, apart] = await Promise.all([
    readHead(firstHead(place)),
    readHead(place.secondHead),
  ]);
  if (beside === "unreadable" || apart === "unreadable") {
    const last = [beside, apart].find((head) => head !== "unreadable" && head !== undefined);
    return { last: last as AuditHead | undefined, problem: "The head of the log cannot be read." };
  }
  if (beside === undefined || apart === undefined)
    return { last: beside ?? apart, problem: undefined };
  if (beside.n === apart.n && beside.hash !== apart.hash) {
    return { last: apart, problem: "The two heads of the log name different entries." };
  }
  return { last: beside.n > apart.n ? beside : apart, problem: undefined };
}

/** Each replaced as a whole: half a head would count as a log that was cut. */
export async function writeHeads(place: AuditPlace, { n, hash }: AuditEntry): Promise<void> {
  const text = JSON.stringify({ n, hash });
  for (const path of [firstHead(place), place.secondHead]) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

async function readHead(path: string): Promise<AuditHead | "unreadable" | undefined> {
  try {
    return auditHead.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "unreadable";
  }
}
