import type { HistoryEntry } from "../../agent/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import { stripControl, stripControlLine } from "../../shared/text.ts";
import { withReadsGrouped } from "../state/reads.ts";
import type { FinishedItem } from "../state/screen.ts";

/** An earlier conversation as it looked, its calls without what they answered. */
export function itemsOfHistory(entries: readonly HistoryEntry[]): readonly FinishedItem[] {
  const items = entries.map((entry): FinishedItem => {
    if (entry.role === "user") return { kind: "user", text: stripControl(entry.text) };
    if (entry.role === "assistant") {
      return { kind: "assistant", text: stripControl(entry.text), continues: false };
    }
    const name = stripControlLine(entry.text);
    const about = describeCall(name, entry.args ?? {});
    const summary = stripControl(entry.failure ?? "");
    const isError = entry.failure !== undefined;
    return { kind: "tool", name, about, summary, isError, unfolded: false };
  });
  return withReadsGrouped(items);
}
