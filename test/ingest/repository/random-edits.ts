import { type Clone, createClones, moveFile, readFilesIn, writeFileIn } from "./clones.ts";

const TYPES = ["decision", "fact", "preference", "outcome"];
const HEADING = /^## \w+(?: [0-9a-z]{10})?$/m;

export interface EditedClones {
  readonly alive: readonly string[];
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly marked: number;
}

export async function makeRandomEdits(edits: number, random: () => number): Promise<EditedClones> {
  const clones = createClones(["ada", "bruno", "carla"]);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const said = new Set<string>();
  const gone = new Set<string>();
  let number = 0;
  let marked = 0;
  const newText = ({ name }: Clone) => {
    number += 1;
    const text = `Statement ${number} of ${name}. It stands until somebody changes it.`;
    said.add(text);
    return text;
  };
  const edit = async (clone: Clone) => {
    const { test } = clone;
    const holding = pick(await clone.holding());
    const [name = "", text = ""] = pick([...readFilesIn(clone)]) ?? [];
    const lines = text
      .split(HEADING)
      .slice(1)
      .map((part) => contentOf(part));
    const kind = Math.floor(random() * 9);
    const type = pick(TYPES) ?? "fact";
    if (kind <= 1 || holding === undefined || lines.length === 0) {
      await test.call("remember", {
        content: newText(clone),
        episode_type: type,
        asserted_by: clone.name,
        entities: "project:shop",
      });
    } else if (kind === 2) {
      gone.add(holding.content);
      await test.call("update_episode", { episode_id: holding.id, content: newText(clone) });
    } else if (kind === 3) {
      gone.add(holding.content);
      await test.call("delete_episode", { episode_id: holding.id });
    } else if (kind === 4) {
      await test.call("label", { id: holding.id, key: `by-${clone.name}`, value: String(number) });
    } else if (kind === 5) {
      const before = lines[0] ?? "";
      gone.add(before);
      const written = [before.replaceAll(". ", ".\n"), before].find((form) => text.includes(form));
      if (written === undefined) throw new Error(`${name} does not say ${before}`);
      writeFileIn(clone, name, text.replace(written, newText(clone)));
    } else if (kind === 6) {
      for (const one of lines) gone.add(one);
      writeFileIn(clone, name, undefined);
    } else if (kind === 7) {
      number += 1;
      moveFile(clone, name, `moved-${number}-${clone.name}.md`);
    } else writeFileIn(clone, name, `${text.trimEnd()}\n\n## ${type}\n\n${newText(clone)}\n`);
  };
  try {
    for (let done = 0; done < edits; ) {
      const clone = pick(clones);
      if (clone === undefined) throw new Error("There are no clones.");
      const some = 1 + Math.floor(random() * 6);
      for (let one = 0; one < some; one++, done++) await edit(clone);
      await clone.sync();
      clone.commit();
      const other = pick(clones.filter((one) => one !== clone));
      if (random() < 0.6 && other !== undefined) marked += await exchange(clone, other);
    }
    for (let round = 0; round < 4; round++) {
      for (const clone of clones) {
        for (const other of clones) if (other !== clone) marked += await exchange(clone, other);
      }
    }
    const texts = new Map<string, readonly string[]>();
    for (const clone of clones) texts.set(clone.name, await clone.texts());
    return { alive: [...said].filter((text) => !gone.has(text)).sort(), texts, marked };
  } finally {
    for (const clone of clones) await clone[Symbol.asyncDispose]();
  }
}

/** Mulberry32: deterministic random numbers from 0 to 1. */
export function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function exchange(clone: Clone, other: Clone): Promise<number> {
  clone.pull(other);
  const marked = [...readFilesIn(clone).values()].filter((text) => /^<{7} /m.test(text)).length;
  await clone.sync();
  clone.commit();
  return marked;
}

function contentOf(part: string): string {
  const body = part.split("\n\n").slice(1).join("\n\n");
  return body.trim().replaceAll(".\n", ". ");
}
