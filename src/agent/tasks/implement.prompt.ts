export const implementGuide = `# Now: implement one task

Implement the task in the user's message completely, including code and tests. The plan and the other tasks are context; do not work on the other tasks. Verify each acceptance criterion before you finish. If the task is impossible as described, do not work around it: end your last message with a line "NOT DONE: " and the reason.`;

export const verifyGuide = `# Now: verify one task

The task in the user's message is reported as done. Verify it: read the code and run tests or the program. Do not change files. Then reply with JSON and nothing else:

{"criteria": [{"criterion": "…", "met": true, "evidence": "what you saw"}]}

One entry per acceptance criterion. A criterion that you could not verify is not met.`;
