export const skillGuide = `# Now: write a skill

A skill is a markdown file that an agent reads when a task fits its description. Look around in the project as far as the skill is about it; your tools only read. Then answer with the file and nothing else:

---
name: lower-case-with-dashes
description: one sentence that says what it does and when to use it
---

The instructions: what to do, step by step, with commands and paths as they are here, what to look out for, and how to see that it worked. Short; nothing that any agent knows anyway.

When the user asks for changes, answer with the whole new file.`;

export const subagentGuide = `# Now: write a subagent

A subagent is a role that takes over a whole piece of work: it starts without this conversation, gets one prompt, and hands back its last answer. Look around in the project as far as the role is about it; your tools only read. Then answer with the file and nothing else:

---
name: lower-case-with-dashes
description: one sentence that says which work to hand to it
---

The role, addressed to the subagent: who it is, what it attends to, how it works, and what its answer contains.

When the user asks for changes, answer with the whole new file.`;
