import { shortenLine, stripControl } from "../../shared/text.ts";
import type { Why } from "./why-line.ts";

const QUOTED = 400;

export function whyText(why: Why): string {
  const { file, line, text, earlier, commit, turn, decided, passages } = why;
  const day = (at: string) => at.slice(0, 10);
  const quote = (said: string) => `“${shortenLine(said, QUOTED)}”`;
  const found = [
    ...(turn === undefined
      ? []
      : [`asked: ${quote(turn.prompt)} (session ${turn.session.slice(0, 8)}, ${day(turn.at)})`]),
    ...decided.map((one) => `${one.type}: ${quote(one.text)} (${one.id}, ${day(one.at)})`),
    ...passages.map(
      (one) =>
        `said: ${quote(one.text)} (${one.id}, ${one.kind}, ${one.by}, ${day(one.occurred_at)})`,
    ),
    ...(commit === undefined
      ? []
      : [
          `commit: ${shortenLine(commit.subject, QUOTED)} (${commit.hash.slice(0, 8)}, ${commit.author}, ${day(commit.at)})`,
        ]),
  ];
  const named = earlier.length === 0 ? [] : [`was called ${earlier.join(", ")}`];
  const lines = found.length === 0 ? ["Nobody kept anything of this line."] : [...found, ...named];
  return stripControl([`${file}:${line}  ${text.trim()}`, ...lines].join("\n"));
}
