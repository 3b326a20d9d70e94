import type { Judges } from "./judges.ts";

/** A yes that is longer says something of its own; characters. */
const LONGEST_YES = 60;
const AGREES = 0.25;

/** Whether somebody agrees in a few words to what was said before. */
export function isAgreement(said: string, judges: Judges): boolean {
  const text = said.trim();
  if (text.length > LONGEST_YES || /[?？]/u.test(text)) return false;
  const { rules } = judges;
  if (rules.matches("agreement", text)) return true;
  const sentence = { by: "user", text, before: undefined, isFirst: true, rules } as const;
  return judges.classifier.scores(sentence).agreement > AGREES;
}

/** What ends in a question waits for a yes. */
const ASKS = /[?？][\s"'”’»)]*$/u;
/** What comes behind a yes and takes a part of it back, in ten languages. */
const LIMITS =
  /(?<![\p{L}\p{N}])(?:but|except|only|just not|instead|aber|außer|nur|statt|mais|sauf|seulement|pero|salvo|solo|sólo|ma|però|tranne|mas|exceto|só|maar|behalve|alleen|ale|oprócz|tylko)(?![\p{L}\p{N}])|但|不过|除了|ただし|でも|だけ/iu;

export const isQuestion = (text: string): boolean => ASKS.test(text);

/** Whether somebody answers a question with a yes, be it that something else follows which leaves it whole. */
export function saysYesTo(asked: string, said: string, judges: Judges): boolean {
  if (!isQuestion(asked) || LIMITS.test(said)) return false;
  if (isAgreement(said, judges)) return true;
  const [opening = ""] = /^[^.!,:;—–。！，?？]{1,30}[.!,:;—–。！，]/u.exec(said.trim()) ?? [];
  const rest = said.trim().slice(opening.length).trim();
  const { rules } = judges;
  return opening !== "" && isAgreement(opening, judges) && !rules.matches("correction", rest);
}
