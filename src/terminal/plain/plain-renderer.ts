import type { AgentEvent, ProgressItem } from "../../agent/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import {
  countChanges,
  splitIncompleteControl,
  stripControl,
  stripControlLine,
} from "../../shared/text.ts";
import { formatUndoLine } from "../memory/undo-line.ts";

class OpenLine {
  readonly #out: (text: string) => void;
  #carry = "";
  #isOpen = false;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  add(added: string): void {
    const split = splitIncompleteControl(this.#carry + added);
    this.#carry = split.rest;
    this.#write(split.ready);
  }

  end(): void {
    this.#write(this.#carry);
    this.#carry = "";
    if (this.#isOpen) this.#out("\n");
    this.#isOpen = false;
  }

  #write(raw: string): void {
    const safe = stripControl(raw);
    if (safe === "") return;
    this.#out(safe);
    this.#isOpen = !safe.endsWith("\n");
  }
}

export interface PlainRenderer {
  show(event: AgentEvent): void;
  /** Ends an unfinished line. */
  end(): void;
}

export interface PlainOutput {
  out(text: string): void;
  err(text: string): void;
}

export function createPlainRenderer({ out, err }: PlainOutput): PlainRenderer {
  const lines = new OpenLine(out);
  let sawText = false;
  const abouts = new Map<string, string>();
  const printed = new Map<string, string>();
  const line = (message: string, write = out) => {
    lines.end();
    const safe = stripControl(message).trim();
    if (safe !== "") write(`${safe}\n`);
  };
  const delta = (added: string) => {
    sawText = true;
    lines.add(added);
  };
  const tool = (event: Extract<AgentEvent, { type: "tool.result" }>) => {
    const label = event.contextLabel === undefined ? "" : `${event.contextLabel} `;
    const about = abouts.get(event.callId) ?? "";
    const changes = event.diff === undefined ? undefined : countChanges(event.diff);
    const counted = changes === undefined ? "" : ` (+${changes.added} -${changes.removed})`;
    const symbol = event.isError === true ? "! " : "* ";
    const reason = event.isError === true ? `: ${event.summary.slice(0, 500)}` : "";
    line(stripControlLine(`${symbol}${label}${event.name} ${about}${counted}${reason}`), err);
    abouts.delete(event.callId);
    const undo =
      event.name === "remember" && event.isError !== true
        ? formatUndoLine(event.summary)
        : undefined;
    if (undo !== undefined) line(undo, err);
  };
  const progress = (items: readonly ProgressItem[]) => {
    for (const [index, item] of items.entries()) {
      if (item.state === "waiting" || printed.get(item.id) === item.state) continue;
      printed.set(item.id, item.state);
      line(`[${index + 1}/${items.length}] ${item.state}: ${stripControlLine(item.label)}`);
    }
  };
  let isRunning = false;
  const status = (event: Extract<AgentEvent, { type: "status" }>) => {
    if (event.phase === "running") isRunning = true;
    if (event.phase === "idle") isRunning = false;
    if (event.phase === "aborted") line(event.message ?? "Stopped.", err);
    else if (event.phase === "handover") line(event.message ?? "Continuing with a summary.", err);
    else if (event.phase === "idle") lines.end();
    else if (event.progress !== undefined) progress(event.progress);
    // Notes on a run, such as retries, are not part of the answer; a command's notes are.
    else if (event.phase === "info" && isRunning) line(event.message ?? "", err);
    else if (PRINTED_EVENTS.has(event.phase)) line(event.message ?? "");
  };
  return {
    end: () => lines.end(),
    show: (event) => {
      switch (event.type) {
        case "assistant.delta":
          if (event.contextLabel === undefined) delta(event.text);
          return;
        case "assistant.done":
          if (event.contextLabel !== undefined) return;
          if (!sawText) delta(event.text);
          sawText = false;
          lines.end();
          return;
        case "tool.call":
          abouts.set(event.callId, describeCall(event.name, event.args));
          return;
        case "tool.result":
          tool(event);
          return;
        case "error":
          line(`cairn: error: ${event.message}`, err);
          return;
        case "status":
          status(event);
      }
    },
  };
}

const PRINTED_EVENTS: ReadonlySet<string> = new Set([
  "info",
  "success",
  "print",
  "prompt",
  "learned",
]);
