import { stripControlLine } from "../../kernel/strip-control.ts";

/** Words by which transcripts tell who speaks; a colon behind one begins a new speaker for a model. */
const ROLE = /\b(human|user|assistant|system|developer|tool|ai|instructions?)(\s*):/giu;
/** What separates speakers in the formats of models: `<|im_start|>`, `[INST]`, `### System`. */
const SEPARATOR =
  /<\|[^|>]*\|>|\[\/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|#{2,}(?=\s*\w)/gi;

/**
 * Stored text as it may stand before a model: on one line, in quotation marks that it cannot end,
 * with every tag, separator of speakers and invisible character disarmed. The words stay readable.
 */
export function quoteForModel(text: string): string {
  return `“${disarmed(text)}”`;
}

function disarmed(text: string): string {
  return (
    stripControlLine(text)
      .replaceAll(SEPARATOR, (mark) => mark.replaceAll(/[<>|[\]#]/g, " "))
      // Without its beginning a tag is none; an arrow stays what it is.
      .replaceAll(/<(?=[/!?\p{L}|])/gu, "‹")
      .replaceAll(/[“”„‟]/g, '"')
      .replaceAll(ROLE, "$1$2：")
      .replaceAll(/\s+/g, " ")
      .trim()
  );
}
