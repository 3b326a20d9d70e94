import { stripControl, stripControlLine } from "../../shared/text.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";

const SPEAKER = "human|user|assistant|system|developer|tool|ai|instructions?";
const ROLE = new RegExp(`\\b(${SPEAKER})(\\s*):`, "giu");
/** Within a name the word may be the type of an entity: `tool:queue`. */
const ROLE_BEFORE_BLANK = new RegExp(`\\b(${SPEAKER})(\\s*):(?=\\s|$)`, "gimu");
/**
 * An entity such as `tool:redis`, which commands take as it is written. Only lower case and plain characters: what introduces a
 * speaker is followed by a blank, or by a name that ends with other punctuation.
 */
const ENTITY = new RegExp(
  `(?<![\\p{L}\\p{N}_:])(?:${ENTITY_TYPES.join("|")}):[\\p{L}\\p{N}][\\p{L}\\p{N}_.@/+-]*(?=[\\s,;)"'\`”]|$)`,
  "uy",
);
/** What separates speakers in the formats of models: `<|im_start|>`, `[INST]`, `### System`. */
const SEPARATOR =
  /<\|[^|>]*\|>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|#{2,}(?=\s*\w)/gi;
/** Without its beginning a tag is none; an arrow stays what it is. */
const TAG = /<(?=[/!?\p{L}|])/gu;

/**
 * Quotes stored text for a model: one line, closed quotation, with tags, speaker separators and
 * invisible characters disarmed. Remains readable.
 */
export function quoteForModel(text: string): string {
  const inside = disarmed(stripControlLine(text), ROLE).replaceAll(/[“”„‟]/g, '"');
  return `“${inside.replaceAll(/\s+/g, " ").trim()}”`;
}

export function linesForModel(text: string): string[] {
  return disarmed(stripControl(text), ROLE).split("\n");
}

export function nameForModel(text: string): string {
  return disarmed(stripControlLine(text), ROLE_BEFORE_BLANK);
}

function disarmed(text: string, role: RegExp): string {
  return text
    .replaceAll(SEPARATOR, (mark) => mark.replaceAll(/[<>|[\]#]/g, " "))
    .replaceAll(TAG, "‹")
    .replaceAll(role, (mark, speaker: string, blanks: string, at: number, whole: string) => {
      ENTITY.lastIndex = at;
      return ENTITY.test(whole) ? mark : `${speaker}${blanks}：`;
    });
}

/** JSON of stored values as a model may read it: the same signs are written as escapes, so that the value is the same. */
export function jsonForModel(json: string): string {
  return json
    .replaceAll(SEPARATOR, (mark) => mark.replaceAll(/[<[#]/g, escaped))
    .replaceAll(TAG, escaped)
    .replaceAll(ROLE_IN_JSON, (role) => role.replace(":", escaped));
}

/** A line of the value ends in `\\n`; a key is followed by a quotation mark. */
const ROLE_IN_JSON = new RegExp(`(?<=\\b|\\\\n)(?:${SPEAKER})\\s*:(?=\\s|\\\\n)`, "giu");

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
