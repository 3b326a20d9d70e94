import { readFileSync } from "node:fs";
import { join } from "node:path";

export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh"] as const;
export const HALVES = ["dev", "held-out"] as const;

/** Kinds of scenes; those of the second line teach nothing. */
export const CLASSES = [
  ...["decision", "preference", "instruction", "fact", "correction", "outcome"],
  ...["passing", "quoted", "hypothetical", "question", "hostile", "work"],
] as const;

export type Half = (typeof HALVES)[number];

const SPEAKERS = { u: "user", a: "assistant", t: "tool" } as const;

export interface SceneTurn {
  readonly by: (typeof SPEAKERS)[keyof typeof SPEAKERS];
  readonly text: string;
}

export interface Known {
  readonly kind: string;
  readonly text: string;
  /** After the scene it no longer holds. */
  readonly isReplaced: boolean;
}

export interface Expected {
  readonly kinds: readonly string[];
  readonly saidBy: readonly string[];
  /** What stands in whatever is kept of it. */
  readonly text: string;
}

export interface Scene {
  readonly id: string;
  readonly language: string;
  readonly half: Half;
  readonly kind: string;
  readonly known: readonly Known[];
  readonly turns: readonly SceneTurn[];
  readonly expected: Expected | undefined;
}

export function readScenes(half: Half, language: string): Scene[] {
  const file = join(import.meta.dirname, half, `${language}.txt`);
  const paragraphs = readFileSync(file, "utf8")
    .replaceAll("‖", "")
    .trim()
    .split(/\n{2,}/);
  return paragraphs.map((paragraph, index) => ({
    ...readScene(paragraph),
    id: `${half}/${language}:${index + 1}`,
    half,
    language,
  }));
}

export const allScenes = (): Scene[] =>
  HALVES.flatMap((half) => LANGUAGES.flatMap((language) => readScenes(half, language)));

function readScene(paragraph: string): Pick<Scene, "kind" | "known" | "turns" | "expected"> {
  const lines = paragraph.replaceAll(/\n {2}/g, "\u0000").split("\n");
  const kind = lines.shift()?.match(/^\[([a-z]+)\]$/)?.[1];
  if (kind === undefined) throw new Error(`no class: ${paragraph}`);
  const known: Known[] = [];
  const turns: SceneTurn[] = [];
  let expected: Expected | undefined;
  for (const line of lines.map((text) => text.replaceAll("\u0000", "\n"))) {
    const turn = readTurn(line);
    if (turn !== undefined) turns.push(turn);
    else if (line.startsWith("known")) known.push(readKnown(line));
    else if (line.startsWith("keep ")) expected = readExpected(line);
    else if (line !== "replaces") throw new Error(`cannot be read: ${line}`);
  }
  const replaces = lines.includes("replaces");
  if (replaces !== known.some(({ isReplaced }) => isReplaced)) {
    throw new Error(`either "replaces" or "known!" is missing: ${paragraph}`);
  }
  return { kind, known, turns, expected };
}

function readTurn(line: string): SceneTurn | undefined {
  const [, by, text] = line.match(/^([uat]): (.*)$/s) ?? [];
  if (text === undefined) return undefined;
  return { by: SPEAKERS[by as keyof typeof SPEAKERS], text };
}

function readKnown(line: string): Known {
  const [, mark, kind, text] = line.match(/^known(!?) ([a-z]+): (.+)$/) ?? [];
  if (kind === undefined || text === undefined) throw new Error(`cannot be read: ${line}`);
  return { kind, text, isReplaced: mark === "!" };
}

function readExpected(line: string): Expected {
  const [, kinds, saidBy, text] = line.match(/^keep ([a-z|]+)(?: by ([a-z|]+))?: (.+)$/) ?? [];
  if (kinds === undefined || text === undefined) throw new Error(`cannot be read: ${line}`);
  return { kinds: kinds.split("|"), saidBy: (saidBy ?? "user").split("|"), text };
}
