import type { AgentSettings } from "../settings.ts";

export const editModes: Readonly<Record<AgentSettings["editMode"], string>> = {
  hashline: `# Editing files

\`read\` shows every line as \`LINE:HASH|text\`. \`edit\` takes \`LINE:HASH\` anchors from the latest read, mention or edit of that file (every edit returns the new anchors around it): \`start\` and, for several lines, \`end\`; \`content\` replaces them, empty \`content\` deletes them, and \`insert: "before"\` or \`"after"\` adds next to the anchor and replaces nothing.
Put all changes of a file into one call: anchors are checked against the current file, and changes must not overlap. If an anchor is outdated, the result shows the current lines: use those. Never put \`LINE:HASH|\` into \`content\`.
Create files with \`write\`.`,
  searchReplace: `# Editing files

\`edit\` replaces \`old_text\` by \`new_text\`. \`old_text\` must match the file exactly, whitespace included, and occur once: include enough surrounding lines, or set \`replace_all\`. The replacement is literal.
Read the file first. Create files with \`write\`.`,
};
