export const ASSISTANTS: readonly string[] = ["assistant", "agent", "ai", "bot", "model"];

function isAssistant(by: string | null): boolean {
  return by !== null && ASSISTANTS.includes(by.trim().toLowerCase());
}

export const STANDING_WORD = "\ue0011";

const NARRATIVE_WORD = String.raw`(?:a|an|the|my|your|his|her|our|their|been|had|have|has|was|were|is|am|are|be|so|such|too|nice|good|great|fun|happy|glad|ready|open|here|there|up|down|in|on|at|with|by|for|again|ever|mind|thought|knew|heard|seen|saw|done|got|went|came|felt|met|made|took|\w+(?:ed|ing))`;

const DEMAND_PATTERNS: readonly RegExp[] = [
  new RegExp(String.raw`^(?:please,? )?(?:always|never)\s+(?!${NARRATIVE_WORD}\b)\p{L}`, "iu"),
  /^(?:please,? )?(?:you (?:must|should)|make sure (?:you|to)|remember to|be sure to) (?:always|never)\b/iu,
  /\b(?:from now on|from here on|going forward|in (?:the )?future|as a rule|by default)\b[, ]+(?:please |you (?:must|should) )?(?:always |never |don['’]t |do not )?(?:use|write|put|add|include|run|make|keep|answer|reply|call|show|tell|ask|format|avoid|prefer|give|name|check)\b/iu,
  /^(?:please,? )?(?:whenever|every time|each time) (?:I|we|you)\b.{3,80}, (?:please |always |never |don['’]t |do not )?(?:use|write|put|add|include|run|make|keep|answer|reply|call|show|tell|ask|format|avoid|prefer|give|name|check)\b/iu,
  /^(?:bitte )?(?:\p{L}+ (?:Sie )?(?:immer|niemals|nie)|(?:immer|niemals|nie)(?= \p{L}+en\b)|(?:ab jetzt|ab sofort|von nun an|künftig|in Zukunft))(?!\p{L})/iu,
  /^(?:(?:s['’]il (?:te|vous) plaît,? )?(?:n['’]|ne )?\p{L}+ (?:toujours|jamais)|désormais|dorénavant|à partir de maintenant)(?!\p{L})/iu,
  /^(?:(?:por favor,? )?(?:(?:no )?\p{L}+ siempre|siempre|nunca)|(?:a partir de ahora|de ahora en adelante))(?!\p{L})/iu,
  /^(?:(?:per favore,? )?(?:\p{L}+ sempre|non \p{L}+ mai)|d['’]ora in (?:poi|avanti)|a partire da ora)(?!\p{L})/iu,
  /^(?:(?:por favor,? )?(?:\p{L}+ sempre|sempre|nunca)|a partir de agora|de agora em diante)(?!\p{L})/iu,
  /^(?:(?:gebruik|schrijf|doe|maak|geef|zet) (?:altijd|nooit)|altijd|nooit|voortaan|vanaf nu)(?!\p{L})/iu,
  /^(?:(?:proszę,? )?(?:zawsze|nigdy nie)|od teraz|odtąd|(?:пожалуйста,? )?(?:всегда|никогда не)|отныне|впредь|с этого момента)(?!\p{L})/iu,
  /^(?:请?(?:总是|始终|永远不要|务必|绝不要)|从现在(?:开始|起)|以后(?:都|请|不要)|今後は|これからは|(?:必ず|常に|決して)|앞으로는?|지금부터|항상|절대)/u,
];

const EXCLAMATION = /^\S+(?:\s+\S+){0,2}!$/u;
const MAX_CHARACTERS = 400;
const MAX_EXAMINED = 4000;

export function isStandingInstruction(sentence: string): boolean {
  const text = sentence.trim();
  if (text.length > MAX_CHARACTERS || /[?？؟]$/u.test(text) || EXCLAMATION.test(text)) return false;
  return DEMAND_PATTERNS.some((pattern) => pattern.test(text));
}

export function givesStandingInstruction(text: string, by: string | null): boolean {
  if (isAssistant(by)) return false;
  return text
    .slice(0, MAX_EXAMINED)
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .split(/\n+|(?<=[.!?。！？])\s+|(?<=[。！？])/u)
    .some((sentence) => isStandingInstruction(sentence.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "")));
}
