export const writeAgentsFile = `This project has no AGENTS.md. Look around, then write one at its root with \`write\`.

It tells an agent that comes here for the first time what cannot be seen at a glance: what the project is, how it is built, tested and run (the exact commands; try them where that is cheap), how the code is laid out, the conventions that its code really follows, and traps. At most a page, no advice that would hold for any project, nothing that you have not seen.

End with one sentence that says what you wrote.`;
