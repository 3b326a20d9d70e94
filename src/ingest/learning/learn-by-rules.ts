import { isAgreement, isQuestion, saysYesTo } from "./agreement.ts";
import type { Claim, ClaimKind, LearningPassage } from "./claim.ts";
import type { StatementScores } from "./classifier/statement-classifier.ts";
import { Judges } from "./judges.ts";
import { pathsIn } from "./paths-in.ts";
import type { CompiledRules } from "./rules/compiled-rules.ts";
import { isNotSaid, isPrecise, type Judgement, rejectedIn } from "./rules/marks-of-sentences.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/**
 * From here on a sentence is taken for one that lasts; higher where it is said to be of the moment, asks for
 * work or tells of a fault.
 */
const LASTS = 0.36;
const LASTS_ALL_THE_SAME = 0.9;
/** What takes something back and names it is rarely said of the moment. */
const LASTS_PUT_RIGHT = 0.15;
/** Who writes much in one go reasons and tells: what is to last must be plain there. */
const MUCH = 200;
const LASTS_AMONG_MUCH = 0.75;
/** An assistant tells much of what it does: only of what is plain something is learned. */
const REPORTED = 0.75;
const REPORTED_AMONG_MUCH = 0.95;
const CORRECTS = 0.5;
/** Of what an assistant asked about and got a yes to. */
const AGREED = 0.36;
/** How far back an answer is looked at for what somebody agreed to; passages. */
const LOOKED_BACK = 3;
/** Of a long talk the last words of the person are the ones that were summed up. */
const MOST_HEARD = 12;
/** A shorter sentence does not stand alone: it belongs to the one before it. */
const STANDS_ALONE = 48;

/**
 * What passages say that lasts, without a language model: standing instructions, decisions, facts,
 * corrections and failures in a person's own words, what came of something, and what an assistant summed
 * up or proposed and a person agreed to. Passages are in the order in which they were said.
 */
export function learnByRules(
  passages: readonly LearningPassage[],
  judges: Judges = new Judges(),
): Claim[] {
  const reader = new Reader(passages, judges);
  return passages.flatMap((passage, place) => {
    if (passage.by === "tool") return [];
    if (passage.by === "assistant") return reader.reported(passage, place);
    const own = reader.ownWords(passage, place);
    return [...own, ...reader.agreedTo(passage, place, own.length > 0)];
  });
}

interface Told extends Sentence {
  readonly scores: StatementScores;
  readonly lasts: boolean;
}

class Reader {
  readonly #passages: readonly LearningPassage[];
  readonly #judges: Judges;
  readonly #rules: CompiledRules;

  constructor(passages: readonly LearningPassage[], judges: Judges) {
    this.#passages = passages;
    this.#judges = judges;
    this.#rules = judges.rules;
  }

  ownWords(passage: LearningPassage, place: number): Claim[] {
    const isAnswer = this.#said(place - 1)?.by === "assistant";
    const takesBack = this.#rules.matches("correction", firstWords(passage.text));
    const groups: Told[][] = [];
    let before: Told | undefined;
    for (const told of this.#told(passage, place)) {
      const depends = told.text.length < STANDS_ALONE;
      const last = groups.at(-1);
      if (told.lasts && before?.lasts === true && (depends || isAnswer)) last?.push(told);
      else if (told.lasts && !(before !== undefined && depends && !isSure(told))) {
        groups.push([told]);
      }
      before = told;
    }
    return groups.map((group, index) => {
      const corrects = group.some(
        ({ text, scores }) => scores.corrects > CORRECTS || this.#rules.matches("correction", text),
      );
      const rejects = group.flatMap(({ text }) => rejectedIn(this.#rules, text));
      const judged: Judgement = {
        kind: kindOf(group, this.#rules),
        corrects: corrects || (takesBack && index === 0),
        rejects,
      };
      return claimOf(passage, joined(group), judged);
    });
  }

  /** Outcomes and causes, and what was summed up or settled: all else that an assistant says are its plans. */
  reported(passage: LearningPassage, place: number): Claim[] {
    const rules = this.#rules;
    const needed = passage.text.length > MUCH ? REPORTED_AMONG_MUCH : REPORTED;
    return this.#told(passage, place).flatMap((told) => {
      if (isNotSaid(rules, told.text) && !isSure(told)) return [];
      const corrects = rules.matches("correction", told.text);
      const rejects = corrects ? rejectedIn(rules, told.text) : [];
      const decided: Judgement = { kind: "decision", corrects, rejects };
      if (rules.matches("recap", told.text) && isPreciseOrLong(told.text)) {
        const people = this.#passages.slice(0, place).filter(({ by }) => by === "user");
        const heard = people.slice(-MOST_HEARD).map(({ id }) => id);
        return [{ ...claimOf(passage, told, decided), evidence: [passage.id, ...heard] }];
      }
      if (rules.matches("decided", told.text)) return [claimOf(passage, told, decided)];
      const isOutcome =
        rules.matches("outcome", told.text) ||
        (told.scores.lasting > needed && kindOf([told], rules) === "failed_attempt");
      if (!isOutcome) return [];
      return [claimOf(passage, told, { kind: "outcome", corrects: false, rejects: [] })];
    });
  }

  /** What the assistant asked or summed up last, where this is a yes to it. */
  agreedTo(passage: LearningPassage, place: number, hasOwnWords: boolean): Claim[] {
    const from = Math.max(0, place - LOOKED_BACK);
    const at = this.#passages.slice(from, place).findLastIndex(({ by }) => by === "assistant");
    const answer = this.#passages[from + at];
    if (at < 0 || answer === undefined) return [];
    const isYes = isAgreement(passage.text, this.#judges);
    if (!isYes && !saysYesTo(answer.text, passage.text, this.#judges)) return [];
    const told = this.#told(answer, from + at);
    const settled = (part: "recap" | "decision") => (one: Told) =>
      this.#rules.matches(part, one.text) && isPreciseOrLong(one.text);
    const asked = this.#askedAbout(answer.text, passage.text, told);
    const proposal =
      told.findLast(settled("recap")) ??
      told.findLast(settled("decision")) ??
      told.findLast(({ scores }) => scores.lasting > REPORTED && scores.decision > 0.5) ??
      asked;
    if (proposal === undefined || (!isYes && proposal !== asked)) return [];
    // Who says in own words what is to be is held to these, unless they come on top of a yes.
    if (hasOwnWords && proposal !== asked && !settled("recap")(proposal)) return [];
    const corrects = this.#rules.matches("correction", proposal.text);
    const rejects = corrects ? rejectedIn(this.#rules, proposal.text) : [];
    const judged: Judgement = { kind: "decision", corrects, rejects };
    return [{ ...claimOf(answer, proposal, judged), evidence: [answer.id, passage.id] }];
  }

  /** What somebody says yes to is as good as said by them: it lasts if it would last in their own words. */
  #askedAbout(answer: string, said: string, told: readonly Told[]): Told | undefined {
    if (!saysYesTo(answer, said, this.#judges)) return undefined;
    return told.findLast(({ text }, index) => {
      if (isQuestion(text) || isNotSaid(this.#rules, text)) return false;
      const own = { by: "user", text, before: undefined, isFirst: index === 0 } as const;
      return this.#judges.classifier.scores({ ...own, rules: this.#rules }).lasting > AGREED;
    });
  }

  #told({ by, text }: LearningPassage, place: number): Told[] {
    const said = this.#said(place - 1);
    const before = said !== undefined && said.by !== by ? said.text : undefined;
    return sentencesOf(text).map((sentence, index) => {
      const scores = this.#judges.classifier.scores({
        by: by === "user" ? "user" : "assistant",
        ...{ text: sentence.text, before, isFirst: index === 0, rules: this.#rules },
      });
      const plain = text.length > MUCH ? LASTS_AMONG_MUCH : LASTS;
      const { lasting } = scores;
      const isOnce = isNotSaid(this.#rules, sentence.text) || this.#isWork(sentence.text, scores);
      const lasts = isOnce
        ? lasting > LASTS_ALL_THE_SAME
        : lasting > plain || (lasting > LASTS_PUT_RIGHT && putsRight(this.#rules, sentence.text));
      return { ...sentence, scores, lasts };
    });
  }

  /** What is to be done once, or what went wrong: most of what people begin with. */
  #isWork(sentence: string, { corrects }: StatementScores): boolean {
    if (corrects > CORRECTS) return false;
    return this.#rules.matches("request", sentence) || this.#rules.matches("trouble", sentence);
  }

  /** The last passage up to a place in which somebody spoke. */
  #said(place: number): LearningPassage | undefined {
    return this.#passages
      .slice(Math.max(0, place - 20), place + 1)
      .findLast(({ by }) => by !== "tool");
  }
}

const ASKED_TO_REMEMBER = /^(?:please,? )?remember(?: that| to|:)/i;
/** Share of the highest score from which another kind is nearly as likely. */
const CLOSE = 0.75;
const KINDS = ["preference", "decision", "fact", "outcome"] as const;

function kindOf(group: readonly Told[], rules: CompiledRules): ClaimKind {
  // Who asks for something to be remembered wants it held to.
  if (group.some(({ text }) => ASKED_TO_REMEMBER.test(text))) return "preference";
  const sums = KINDS.map((kind) => ({
    kind,
    sum: group.reduce((total, { scores }) => total + scores[kind], 0),
    isRuled: group.some(({ text }) => rules.matches(kind, text)),
  }));
  const ranked = sums.toSorted((one, other) => other.sum - one.sum);
  const most = (ranked[0]?.sum ?? 0) * CLOSE;
  // Between kinds that are close, the one that a rule of the language names.
  const named = ranked.find(({ sum, isRuled }) => isRuled && sum >= most);
  const { kind = "fact" } = named ?? ranked[0] ?? {};
  return kind === "outcome" ? "failed_attempt" : kind;
}

function putsRight(rules: CompiledRules, sentence: string): boolean {
  return rules.matches("correction", sentence) && rejectedIn(rules, sentence).length > 0;
}

function isSure({ scores }: Told): boolean {
  return scores.lasting > LASTS_ALL_THE_SAME;
}

function joined(group: readonly Told[]): Sentence {
  return {
    text: group.map(({ text }) => text).join(" "),
    quotation: group.map(({ quotation }) => quotation).join(" "),
  };
}

/** "No." alone is too short for a sentence, and says how the next one is meant. */
function firstWords(text: string): string {
  return /^[^.!,:;—–。！，]{1,30}[.!,:;—–。！，-]/u.exec(text.trim())?.[0] ?? "";
}

function isPreciseOrLong(text: string): boolean {
  return isPrecise(text) || text.length >= 60;
}

function claimOf(
  { id, by, at, files = [] }: LearningPassage,
  { text, quotation }: Sentence,
  { kind, corrects, rejects }: Judgement,
): Claim {
  return {
    kind,
    text: text.replace(/^(?:please,? )?remember(?: that|:)\s*/i, ""),
    said_by: by === "user" ? "user" : "assistant",
    at,
    files: [...new Set([...pathsIn(text), ...files.filter((file) => text.includes(file))])],
    quotation,
    evidence: [id],
    corrects,
    rejects: [...new Set(rejects)],
  };
}
