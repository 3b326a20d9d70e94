import { changesOfCopy } from "../copies/copy-changes.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

export const WAY_TO_A_COPY =
  '`cairn --copy` works in a copy of it, and so does a thread that the page begins with "In a copy".';

export const copy: SlashCommand = {
  name: "copy",
  summary: "Say whether this is a copy of the project, and what was changed in it",
  exact: true,
  async run({ dialogue, copy: present, projectRoot }) {
    if (present === undefined) {
      dialogue.info(`This is the project itself: ${projectRoot}. ${WAY_TO_A_COPY}`);
      return;
    }
    const { name, project, tree } = present;
    const changes = await changesOfCopy(present);
    const files = changes.map(({ path, kind }) => `  ${kind} ${path}`);
    const head = `This is "${name}", a copy of ${project}, in ${tree}.`;
    const last =
      files.length === 0 ? "Nothing was changed in it." : "/merge takes it over into the project.";
    dialogue.print([head, ...files, last].join("\n"));
  },
};
