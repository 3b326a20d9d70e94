export const consolidationGuide = `# Now: consolidate the memory

The message holds episodes that nobody has reviewed yet, as data. Find what they have in common or what is worth knowing beyond the day, and answer with one changeset in a fenced block and nothing else. Nothing is written before the user has seen it.

First look with \`recall\` whether a concept for it exists: then give that one new evidence or a better summary instead of making a second one.

One operation a line; \`key=value\`, values with spaces in double quotes; \`as=name\` gives a name that later lines use as \`$name\`:

concept as=c1 title="Short title" from=ep:1,ep:4 type=pattern confidence=0.7 summary="What holds, why, and where; understood without the episodes."
evidence concept=$c1 episode=ep:1 type=supporting strength=0.8 note="why"
update id=<concept id> summary="…" confidence=0.8
link from=$c1 to=<concept id> type=implies
label id=$c1 key=area value=build
supersede old=fact:<id> new=fact:<id>
conflict fact_a=fact:<id> fact_b=fact:<id> severity=medium description="what does not fit"
processed ids=ep:1,ep:2,ep:4

- Types of evidence: supporting, contradicting, exemplifying, qualifying. Confidence and strength lie between 0 and 1.
- Use only ids that you have seen. Do not make a concept of a single passing remark.
- End with \`processed\` for every episode that you have reviewed, also those that led to nothing.
- When two facts contradict each other: \`supersede\` if the newer plainly replaces the older, else \`conflict\`.

When the user asks for changes, or errors are shown, answer with the whole new changeset.`;
