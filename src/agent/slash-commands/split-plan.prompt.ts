export const splitPlanGuide = `# Now: split a plan into tasks

Look at the code that the plan is about; your tools only read. Then answer with the tasks and nothing else, as a markdown list in the order of the work:

- [ ] Name of the task: what is to be done and why, in one or two sentences
  - Files: path/one, path/two
  - Acceptance criteria:
    - a statement that can be checked

Each task leaves the project working, can be done and checked by itself, and is understood without the other ones. As few tasks as that allows. When the user asks for changes, answer with the whole new list.`;

export const microsplitPlanGuide = `# Now: split a plan into very small tasks

They will be done by a small model that sees one task at a time and little else. Look at the code that the plan is about; your tools only read. Then answer with JSON and nothing else, tasks in the order of the work:

[{"name": "…", "description": "…", "relatedFiles": ["path"], "acceptanceCriteria": ["…"], "codeContext": "…"}]

- One small change in one or two files a task; each leaves the project working.
- description: every step, with the names of functions, types and files; no decision is left open.
- codeContext: as one text, the code that has to be seen to do it: signatures, types, the lines to be changed, an example from next door, each with its path.

When the user asks for changes, answer with the whole new list.`;
