import { shortenLine, stripControl } from "../shared/text.ts";
import type { WaitingProposal } from "./waiting-proposals.ts";

const LINE_CHARS = 300;
const MOST_LINES = 40;

/** What waits, a line each, for people. */
export function digestText(database: string, waiting: readonly WaitingProposal[]): string {
  const lines = waiting.slice(0, MOST_LINES).map(lineOf);
  const more = waiting.length > MOST_LINES ? [`… and ${waiting.length - MOST_LINES} more`] : [];
  const head = `${waiting.length} ${waiting.length === 1 ? "proposal waits" : "proposals wait"} in ${database}:`;
  return [head, ...lines, ...more].join("\n");
}

function lineOf({ proposal, owners, against, days }: WaitingProposal): string {
  const { id, episode_type: type, content, asserted_by: by, evidence, status } = proposal;
  const said = stripControl(shortenLine(content, LINE_CHARS));
  const marks = [
    ...(by === null ? [] : [`by ${by}`]),
    ...(days > 0 ? [`for ${days} ${days === 1 ? "day" : "days"}`] : []),
    ...(status === "faded" ? ["faded"] : []),
    ...(evidence.length > 0 ? [`evidence ${evidence.join(", ")}`] : []),
    ...(against.length > 0 ? [`against ${against.join(", ")}`] : []),
    ...(owners.length > 0 ? [`for ${owners.join(", ")} to decide`] : []),
  ];
  return `${id} ${type}: ${said}${marks.length === 0 ? "" : ` (${stripControl(marks.join("; "))})`}`;
}

/**
 * A message as Slack, Mattermost and others take it. Nothing of the text is a mention, a link or a
 * command there: what would begin one is written as what it is.
 */
export function webhookBody(text: string): string {
  const quoted = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return JSON.stringify({
    text: quoted,
    blocks: [
      { type: "section", text: { type: "plain_text", text: text.slice(0, 2_900), emoji: false } },
    ],
    unfurl_links: false,
    link_names: false,
  });
}
