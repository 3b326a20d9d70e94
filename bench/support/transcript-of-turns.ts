const WORDS =
  "queue retry limit worker build cache token branch index schema socket thread merge release parser".split(
    " ",
  );

/** One turn of a Claude Code transcript: a request, a command, its output and a reply. */
export function createTranscriptTurn(session: string, turn: number, cwd: string): string {
  const at = new Date(Date.UTC(2026, 0, 1) + turn * 60_000).toISOString();
  const word = (index: number) => WORDS[(turn * 7 + index * 3) % WORDS.length] ?? "";
  const record = (part: string, role: "user" | "assistant", content: unknown) =>
    `${JSON.stringify({
      ...{ uuid: `${session}-${turn}-${part}`, type: role, sessionId: session, cwd },
      ...{ gitBranch: "main", timestamp: at, message: { role, content } },
    })}\n`;
  const id = `${session}-${turn}-tool`;
  return [
    record("a", "user", `Please look at the ${word(0)} of step ${turn} and mend its ${word(1)}.`),
    record("b", "assistant", [
      { type: "tool_use", id, name: "Bash", input: { command: `make ${word(2)}-${turn}` } },
    ]),
    record("c", "user", [
      {
        type: "tool_result",
        tool_use_id: id,
        is_error: false,
        content: "a printed line\n".repeat(60),
      },
    ]),
    record(
      "d",
      "assistant",
      `The ${word(3)} of step ${turn} now waits for the ${word(4)}. ${`It keeps the ${word(5)} beside the ${word(6)}, and the ${word(7)} reads both. `.repeat(6)}`,
    ),
  ].join("");
}
