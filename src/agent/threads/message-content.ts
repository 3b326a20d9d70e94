import type { ModelClient } from "../../llm/index.ts";
import { expandMentions } from "../files/expand-mentions.ts";
import { type UserContent, userContent } from "../loop/user-content.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { HostServices } from "./host-services.ts";
import type { Recollection } from "./recollection.ts";

interface MessageSurroundings {
  readonly services: HostServices;
  readonly client: Pick<ModelClient, "model" | "seesImages">;
  readonly recollection: Recollection;
  readonly emit: (event: AgentEventBody) => void;
  readonly signal: AbortSignal;
}

/** What the model gets of a typed message: with the files it mentions and what memory holds about it. */
export async function messageContent(
  text: string,
  { services, client, recollection, emit, signal }: MessageSurroundings,
): Promise<UserContent> {
  const { projectRoot, settings, mcpServers, keptImages } = services;
  const { allowOutsideProject, editMode } = settings;
  const tell = (message: string) => emit({ type: "status", phase: "info", message });
  const expanded = await expandMentions({
    text,
    projectRoot,
    allowOutsideProject,
    editMode,
    keptImages,
    readResource: (mention) => mcpServers.readResource(mention, signal),
  });
  for (const message of expanded.warnings) tell(message);
  const { pictures } = expanded;
  if (pictures.length > 0 && !client.seesImages) {
    tell(
      `${client.model} is not known to see images, so it gets a note in their place. Choose a model that does with /model, or set "vision": true where this one does.`,
    );
  }
  return userContent(await recollection.append(expanded.text, text, signal), pictures);
}
