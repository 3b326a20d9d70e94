import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../scenes.ts";

export const LABELS = [
  ...["preference", "decision", "fact", "outcome", "none"],
  ...["recap", "aoutcome", "anone", "yes", "notyes"],
] as const;
export type Label = (typeof LABELS)[number];

export interface LabelledSentence {
  readonly language: string;
  readonly label: Label;
  /** Undefined: nobody said. */
  readonly corrects: boolean | undefined;
  readonly text: string;
  /** What the other one said before. */
  readonly before: string | undefined;
  /** Which line of the corpus it was made from. */
  readonly frame: number;
}

/** Names that any language uses as they are. */
const NAMES = (
  "Redis PostgreSQL MySQL SQLite MongoDB Kafka RabbitMQ NATS React Vue Angular Vite Webpack esbuild Jest " +
  "Vitest Playwright Docker Podman Terraform Pulumi pnpm npm yarn Bun Deno Biome ESLint Prettier REST " +
  "GraphQL gRPC Zod Django FastAPI Flask Spring Kotlin Rust Go UUIDs ULIDs JWT OAuth S3 MinIO Nginx Caddy " +
  "Grafana Sentry Tailwind Sass Gradle Maven pytest tox poetry uv mypy ruff XML JSON YAML TOML CSV Parquet"
).split(" ");
const CODE = (
  "`parseDate` `OrderStore` `src/api/client.ts` `retry()` `a1b9c3d` `TokenCache` `render_row` `formatter.py` #412 " +
  "`Window.slice` `merge_all` `to_json` session.ts `copy()` `LruMap` 7f3e21a `BatchReader` `__iter__` `flush` utils.go"
).split(" ");
const SLOTS = ["vp", "inf", "opt", "fact", "status"] as const;
/** Gaps whose lines have gaps of their own. */
const WHOLE = /\{(task|trouble)\}/g;
const ROUNDS = 8;
/** A fact, a request and a fault are told by what they say alone: there must be many. */
const ROUNDS_OF_ALONE = 20;

/** The sentences of the corpus: what has gaps is filled in some ways, always in the same. */
export function readCorpus(): LabelledSentence[] {
  return LANGUAGES.flatMap((language) => {
    const sections = readSections(join(import.meta.dirname, `${language}.txt`));
    const random = seeded(language);
    return LABELS.flatMap((label) =>
      (sections.get(label) ?? []).flatMap((line, frame) =>
        Array.from({ length: roundsOf(line) }, () =>
          labelled({ language, label, frame }, fill(line, { sections, random })),
        ),
      ),
    );
  });
}

function labelled(
  place: Pick<LabelledSentence, "language" | "label" | "frame">,
  line: string,
): LabelledSentence {
  const corrects = line.startsWith("!");
  const [first = "", second] = (corrects ? line.slice(1) : line).split(" >> ");
  return second === undefined
    ? { ...place, corrects, text: first, before: undefined }
    : { ...place, corrects, text: second, before: first };
}

function roundsOf(line: string): number {
  if (!line.includes("{")) return 1;
  return /^\{(?:fact|task|trouble)\}[.。]?$/u.test(line) ? ROUNDS_OF_ALONE : ROUNDS;
}

interface Filling {
  readonly sections: ReadonlyMap<string, readonly string[]>;
  readonly random: () => number;
}

function fill(line: string, filling: Filling): string {
  const code = () => CODE[Math.floor(filling.random() * CODE.length)] ?? "";
  let filled = fillOnes(line, filling).replaceAll("{code}", code);
  for (const slot of SLOTS) {
    const { sections, random } = filling;
    const own = sections.get(slot) ?? [];
    const pick = () =>
      slot === "opt" && random() < 0.65
        ? (NAMES[Math.floor(random() * NAMES.length)] ?? "")
        : (own[Math.floor(random() * own.length)] ?? "");
    const value = pick();
    if (slot === "opt") {
      let other = pick();
      while (other === value) other = pick();
      filled = filled.replaceAll("{opt2}", other).replaceAll("{opt}", value);
    } else {
      filled = filled.replaceAll(`{${slot}}`, () => pick());
    }
  }
  return filled.includes("{opt") ? fill(filled, filling) : filled;
}

function fillOnes(line: string, { sections, random }: Filling): string {
  return line.replaceAll(WHOLE, (_, slot: string) => {
    const own = sections.get(slot) ?? [];
    return own[Math.floor(random() * own.length)] ?? "";
  });
}

function readSections(file: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const name = /^\[([a-z]+)\]$/.exec(line)?.[1];
    if (name !== undefined) {
      lines = sections.get(name) ?? [];
      sections.set(name, lines);
    } else if (line !== "") lines.push(line);
  }
  return sections;
}

/** The same numbers for the same seed. */
export function seeded(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
