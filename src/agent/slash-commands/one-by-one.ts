import { isCairnError } from "../../shared/errors.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { choose } from "./review.ts";

/** What a person can say to one thing that waits. */
export interface Answer {
  /** One letter or number. */
  readonly key: string;
  readonly label: string;
  /** A word that says the same as the key. */
  readonly word?: string;
}

/** An answer to one item; a note may follow the key. */
export interface Decided<Item> {
  readonly item: Item;
  readonly key: string;
  readonly note: string;
}

export interface OneByOne<Item> {
  readonly items: readonly Item[];
  idOf(item: Item): string;
  /** `position`: `2 of 5`. */
  describe(item: Item, position: string): string;
  /** What is asked of each; skip and quit are added. */
  readonly question: string;
  /** What is asked where an answer was none of them. */
  readonly again: string;
  readonly answers: readonly Answer[];
  /** Carries it out; what was done, in a sentence. */
  settle(decided: Decided<Item>): Promise<string>;
}

const SKIP: Answer = { key: "s", label: "skip", word: "skip" };
const QUIT: Answer = { key: "q", label: "quit", word: "quit" };

/** Shows one item after the other and asks about it. The keys of those that were settled. */
export async function oneByOne<Item>(
  { dialogue }: Pick<SlashCommandContext, "dialogue">,
  work: OneByOne<Item>,
): Promise<string[]> {
  const { items, idOf, describe, settle } = work;
  const settled: string[] = [];
  for (const [index, item] of items.entries()) {
    dialogue.print(describe(item, `${index + 1} of ${items.length}`));
    const { key, note } = await answerTo(dialogue, work);
    if (key === QUIT.key) break;
    if (key === SKIP.key) continue;
    try {
      dialogue.success(await settle({ item, key, note }));
      settled.push(key);
    } catch (error) {
      // Another session, or the decision before, may have settled it already: the rest goes on.
      if (!isCairnError(error)) throw error;
      dialogue.error(`${idOf(item)}: ${error.message}`, error.code);
    }
  }
  return settled;
}

async function answerTo(
  dialogue: SlashCommandContext["dialogue"],
  { question, again, answers }: Pick<OneByOne<unknown>, "question" | "again" | "answers">,
): Promise<{ readonly key: string; readonly note: string }> {
  const all = [...answers, SKIP, QUIT];
  let asked = `${question}, [s]kip, [q]uit`;
  for (;;) {
    const reply = await choose(
      dialogue,
      asked,
      all.map(({ key, label }) => ({ key, label })),
    );
    if (/^\s*\/plan\s+exit\s*$/i.test(reply)) return { key: QUIT.key, note: "" };
    const [, said = "", note = ""] = /^\s*(\w+)(?:[\s,:]+([\s\S]*))?$/.exec(reply) ?? [];
    const word = said.toLowerCase();
    const found = all.find((answer) => answer.key === word || answer.word === word);
    if (found !== undefined) return { key: found.key, note: note.trim() };
    asked = again;
  }
}
