import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { storeSource } from "../../ingest/sources/index.ts";
import type { Memory } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { RecordedRead } from "./recorded-reads.ts";

const FINDINGS_KIND = "exploration";
/** Maximum number of tool calls repeated to validate a stored answer. */
const MAX_READS = 200;
const MAX_MARK_LENGTH = 60_000;

const reads = z.array(
  z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()), seen: z.string() }),
);

export interface Finding {
  readonly answer: string;
  readonly at: string;
}

export interface StoredFindingsOptions {
  readonly memory: Memory | undefined;
  readonly projectRoot: string;
  readonly logger: Logger;
}

export class StoredFindings {
  readonly #options: StoredFindingsOptions;

  constructor(options: StoredFindingsOptions) {
    this.#options = options;
  }

  /** Returns an earlier answer if `isStillSeen` confirms that its sources are unchanged. */
  async find(
    question: string,
    isStillSeen: (reads: readonly RecordedRead[]) => Promise<boolean>,
  ): Promise<Finding | undefined> {
    const { memory } = this.#options;
    if (memory === undefined || !(await memory.isThere())) return undefined;
    const key = this.#getKey(question);
    const { sources } = await memory.execute("list_sources", {
      kind: FINDINGS_KIND,
      key,
      limit: 1,
    });
    const [source] = sources;
    const seen = source === undefined ? undefined : parseReads(source.mark);
    if (source === undefined || seen === undefined || !(await isStillSeen(seen))) return undefined;
    const { passages } = await memory.execute("get_source", { source_id: source.id });
    const passage = passages.findLast((one) => one.deleted_at === null);
    if (passage === undefined) return undefined;
    return { answer: withoutQuestion(passage.text), at: passage.occurred_at };
  }

  async store(
    question: string,
    { answer, at }: Finding,
    seen: readonly RecordedRead[],
  ): Promise<void> {
    const { memory, projectRoot, logger } = this.#options;
    const readsJson = JSON.stringify(seen);
    if (memory === undefined || seen.length > MAX_READS || readsJson.length > MAX_MARK_LENGTH)
      return;
    const passage = {
      key: createHash("sha256").update(readsJson).update(answer).digest("hex").slice(0, 32),
      role: "section" as const,
      by: "assistant",
      text: `${question.trim()}${FINDING_SEPARATOR}${answer}`,
      files: [...new Set(seen.flatMap((read) => listFiles(read, projectRoot)))],
      occurred_at: at,
    };
    const name = { kind: FINDINGS_KIND, key: this.#getKey(question), place: projectRoot };
    try {
      await storeSource(memory, { ...name, mark: readsJson, passages: [passage], complete: true });
    } catch (error) {
      logger.warn(`The findings could not be stored: ${messageOf(error)}`);
    }
  }

  #getKey(question: string): string {
    const words =
      question
        .normalize("NFKC")
        .toLowerCase()
        .match(/[\p{L}\p{N}_./-]+/gu) ?? [];
    const query = words.map((word) => word.replace(/[./-]+$/, "")).join(" ");
    const sum = createHash("sha256").update(`${this.#options.projectRoot}\n${query}`);
    return sum.digest("hex").slice(0, 32);
  }
}

const FINDING_SEPARATOR = "\n\n---\n\n";

function withoutQuestion(text: string): string {
  const at = text.indexOf(FINDING_SEPARATOR);
  return at < 0 ? text : text.slice(at + FINDING_SEPARATOR.length);
}

function parseReads(readsJson: string | null): readonly RecordedRead[] | undefined {
  if (readsJson === null) return undefined;
  try {
    return reads.parse(JSON.parse(readsJson));
  } catch {
    // Written by another version.
    return undefined;
  }
}

function listFiles({ tool, input }: RecordedRead, projectRoot: string): readonly string[] {
  if (tool === "glob" || tool === "grep" || typeof input.path !== "string") return [];
  const path = isAbsolute(input.path) ? relative(projectRoot, input.path) : input.path;
  return path.startsWith("..") ? [] : [path.replace(/^\.\//, "")];
}
