import { stripControl, stripControlLine } from "../../shared/text.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";

const SPEAKER_NAMES = "human|user|assistant|system|developer|tool|ai|instructions?";
const ROLE_PATTERN = new RegExp(`\\b(${SPEAKER_NAMES})(\\s*):`, "giu");
/** Within a word it may be an entity type: `tool:queue`. */
const ROLE_BEFORE_BLANK = new RegExp(`\\b(${SPEAKER_NAMES})(\\s*):(?=\\s|$)`, "gimu");
/**
 * Entities such as `tool:redis` remain unchanged, since commands accept them. Restricted to lower
 * case and plain characters, unlike a speaker prefix.
 */
const ENTITY_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}_:])(?:${ENTITY_TYPES.join("|")}):[\\p{L}\\p{N}][\\p{L}\\p{N}_.@/+-]*(?=[\\s,;)"'\`”]|$)`,
  "uy",
);
/** Speaker separators of model prompt formats: `<|im_start|>`, `[INST]`, `### System`. */
const SEPARATOR_PATTERN =
  /<\|[^|>]*\|>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|#{2,}(?=\s*\w)/gi;
/** Matches the start of a tag, but not an arrow. */
const TAG_START = /<(?=[/!?\p{L}|])/gu;

/**
 * Quotes stored text for a model: one line in quotation marks, with tags, speaker separators and
 * invisible characters neutralized. Remains readable.
 */
export function quoteForModel(text: string): string {
  const inside = disarmRoles(stripControlLine(text), ROLE_PATTERN).replaceAll(/[“”„‟]/g, '"');
  return `“${inside.replaceAll(/\s+/g, " ").trim()}”`;
}

export function quoteLinesForModel(text: string): string[] {
  return disarmRoles(stripControl(text), ROLE_PATTERN).split("\n");
}

export function quoteNameForModel(text: string): string {
  return disarmRoles(stripControlLine(text), ROLE_BEFORE_BLANK);
}

function disarmRoles(text: string, role: RegExp): string {
  return text
    .replaceAll(SEPARATOR_PATTERN, (separator) => separator.replaceAll(/[<>|[\]#]/g, " "))
    .replaceAll(TAG_START, "‹")
    .replaceAll(role, (match, speaker: string, blanks: string, at: number, full: string) => {
      ENTITY_PATTERN.lastIndex = at;
      return ENTITY_PATTERN.test(full) ? match : `${speaker}${blanks}：`;
    });
}

/** Neutralizes the same sequences in JSON by escaping, which preserves the values. */
export function quoteJsonForModel(json: string): string {
  return json
    .replaceAll(SEPARATOR_PATTERN, (separator) => separator.replaceAll(/[<[#]/g, escapeTags))
    .replaceAll(TAG_START, escapeTags)
    .replaceAll(ROLE_IN_JSON, (role) => role.replace(":", escapeTags));
}

/** A value's line may end in `\\n`; a key is followed by a quotation mark. */
const ROLE_IN_JSON = new RegExp(`(?<=\\b|\\\\n)(?:${SPEAKER_NAMES})\\s*:(?=\\s|\\\\n)`, "giu");

function escapeTags(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
