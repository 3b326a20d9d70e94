export const implementGuide = `# Now: implement one task

Do the task in the user's message completely: code, tests and what else it needs. The plan and the other tasks are there so that your work fits; leave the other tasks alone. Check each acceptance criterion yourself before you finish. If the task is impossible as described, do not work around it: end your last message with a line "NOT DONE: " and the reason.`;

export const verifyGuide = `# Now: verify one task

Somebody says that the task in the user's message is done. Find out whether it is: look at the code, run what shows it. Change no file. Then answer with JSON and nothing else:

{"criteria": [{"criterion": "…", "met": true, "evidence": "what you saw"}]}

One entry for each acceptance criterion. What you could not check is not met.`;
