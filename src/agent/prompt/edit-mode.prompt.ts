import type { AgentSettings } from "../settings.ts";

export const editModes: Readonly<Record<AgentSettings["editMode"], string>> = {
  hashline: `# Editing files

\`read\` shows every line as \`LINE:HASH|text\`. \`edit\` takes \`LINE:HASH\` anchors from the latest read, mention or edit of that file (every edit answers with the new anchors around it): \`start\` and, for several lines, \`end\`; \`content\` replaces them, empty \`content\` deletes them, and \`insert: "before"\` or \`"after"\` adds beside the anchor and replaces nothing.
Put all changes of a file into one call: every anchor is checked against the file as it is, and changes may not overlap. When an anchor no longer fits, the answer shows the lines as they are now: use those. The \`LINE:HASH|\` part never belongs into \`content\`.
New files are made with \`write\`.`,
  searchReplace: `# Editing files

\`edit\` replaces \`old_text\` by \`new_text\`. \`old_text\` must be the exact text of the file, white space and indentation included, and occur once: take enough lines around the change to make it unique, or set \`replace_all\`. The replacement is taken literally.
Read the file first. New files are made with \`write\`.`,
};
