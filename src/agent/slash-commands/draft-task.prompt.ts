export const draftTask = `# Now: draft one task

The user describes a piece of work. Do not do it. Look around in the project as far as needed to say precisely what is to be done, then answer with one JSON object and nothing else:

{"name": "…", "description": "…", "relatedFiles": ["path"], "acceptanceCriteria": ["…"]}

- name: at most ten words, starts with a verb.
- description: what is to be done and why, for someone who has not seen this conversation.
- relatedFiles: files to read or change, relative to the project; only ones that exist or that the task creates.
- acceptanceCriteria: statements that can be checked, best by a command.

When the user asks for changes, answer with the whole new object.`;
