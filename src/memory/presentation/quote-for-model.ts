import { stripControl, stripControlLine } from "../../shared/text.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";

const SPEAKER = "human|user|assistant|system|developer|tool|ai|instructions?";
const ROLE = new RegExp(`\\b(${SPEAKER})(\\s*):`, "giu");
/** Within a word it may be an entity type: `tool:queue`. */
const ROLE_BEFORE_BLANK = new RegExp(`\\b(${SPEAKER})(\\s*):(?=\\s|$)`, "gimu");
/**
 * Entities such as `tool:redis` remain unchanged, since commands accept them. Restricted to lower
 * case and plain characters, unlike a speaker prefix.
 */
const ENTITY = new RegExp(
  `(?<![\\p{L}\\p{N}_:])(?:${ENTITY_TYPES.join("|")}):[\\p{L}\\p{N}][\\p{L}\\p{N}_.@/+-]*(?=[\\s,;)"'\`”]|$)`,
  "uy",
);
/** Speaker separators of model prompt formats: `<|im_start|>`, `[INST]`, `### System`. */
const SEPARATOR =
  /<\|[^|>]*\|>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|#{2,}(?=\s*\w)/gi;
/** Matches the start of a tag, but not an arrow. */
const TAG = /<(?=[/!?\p{L}|])/gu;

/**
 * Quotes stored text for a model: one line in quotation marks, with tags, speaker separators and
 * invisible characters neutralized. Remains readable.
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
    .replaceAll(role, (mark, speaker: string, blanks: string, at: number, full: string) => {
      ENTITY.lastIndex = at;
      return ENTITY.test(full) ? mark : `${speaker}${blanks}：`;
    });
}

/** Neutralizes the same sequences in JSON by escaping, which preserves the values. */
export function jsonForModel(json: string): string {
  return json
    .replaceAll(SEPARATOR, (mark) => mark.replaceAll(/[<[#]/g, escaped))
    .replaceAll(TAG, escaped)
    .replaceAll(ROLE_IN_JSON, (role) => role.replace(":", escaped));
}

/** A value's line may end in `\\n`; a key is followed by a quotation mark. */
const ROLE_IN_JSON = new RegExp(`(?<=\\b|\\\\n)(?:${SPEAKER})\\s*:(?=\\s|\\\\n)`, "giu");

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
