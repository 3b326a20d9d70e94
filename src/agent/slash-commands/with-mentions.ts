import { expandMentions } from "../files/expand-mentions.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";

/** What a person typed in a flow, with the files that it mentions. */
export async function withMentions(context: SlashCommandContext, text: string): Promise<string> {
  const expanded = await expandMentions({
    text,
    projectRoot: context.projectRoot,
    allowOutsideProject: context.settings.allowOutsideProject,
  });
  for (const warning of expanded.warnings) context.dialogue.info(warning);
  if (expanded.pictures.length > 0) {
    context.dialogue.info("Images are shown with plain messages only, so these were left out.");
  }
  return expanded.text;
}
