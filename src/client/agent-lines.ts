import type { ServerMessage } from "../server/ui/index.ts";
import { answersOf, type Decision, type Question, wholeQuestion } from "./questions.ts";

export interface LineAnswer {
  /** Button label: `once`, `no`, `take it over`. */
  readonly label: string;
  /**
   * `words`: feedback for the agent, with `no`. Returns false if disconnected, and nothing was
   * sent.
   */
  give(words?: string): boolean;
}

export interface AgentLine {
  readonly id: string;
  readonly kind: "user" | "assistant" | "note" | "error" | "question";
  readonly text: string;
  readonly answers: readonly LineAnswer[];
}

interface LinesOptions {
  readonly emit: (line: AgentLine) => void;
  readonly say: (text: string) => boolean;
  readonly answer: (question: Question, decision: Decision, message?: string) => boolean;
}

type Status = Extract<ServerMessage, { type: "status" }>["payload"];

export class AgentLines {
  readonly #options: LinesOptions;
  #count = 0;
  readonly #growing = new Map<string, AgentLine>();
  #sent: string[] = [];
  #prompt: AgentLine | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  /** `isHeard`: the server will report the message as an event. */
  sent(text: string, isHeard: boolean): void {
    if (isHeard) this.#sent.push(text);
    this.#add("user", text);
  }

  clear(): void {
    this.#growing.clear();
    this.#sent = [];
    this.#prompt = undefined;
  }

  ask(question: Question): void {
    const { questionId } = question;
    const { answer } = this.#options;
    const answers = answersOf(question).map((decision) => ({
      label: decision,
      give: (words?: string) => answer(question, decision, words),
    }));
    const text = wholeQuestion(question);
    this.#options.emit({ id: questionId, kind: "question", text, answers });
  }

  settle(questionId: string, decision: Decision | "cancelled"): void {
    const text = decision === "cancelled" ? "no longer pending" : `answered: ${decision}`;
    this.#options.emit({ id: questionId, kind: "note", text, answers: [] });
  }

  take(message: ServerMessage, threadId: string): void {
    switch (message.type) {
      case "thread.list": {
        const thread = message.payload.threads.find((one) => one.threadId === threadId);
        if (thread?.pendingPrompt !== undefined) this.#ask(thread.pendingPrompt);
        break;
      }
      case "thread.history":
        for (const { role, text, args, failure } of message.payload.entries) {
          if (role !== "tool") this.#add(role, text);
          else this.#add("note", `${failure === undefined ? "✓" : "✗"} ${formatCall(text, args)}`);
        }
        break;
      case "assistant.delta":
        this.#grow("assistant", message.payload);
        break;
      case "assistant.done":
        this.#done(message.payload);
        break;
      case "tool.call": {
        const { contextLabel, name, args } = message.payload;
        this.#add("note", addLabel(contextLabel, formatCall(name, args)));
        break;
      }
      case "tool.result": {
        const { contextLabel, name, summary, diff, isError = false } = message.payload;
        const text = `${isError ? "✗" : "✓"} ${name}: ${diff ?? summary}`;
        this.#add(isError ? "error" : "note", addLabel(contextLabel, text));
        break;
      }
      case "status":
        this.#status(message.payload);
        break;
      case "error":
        this.#add("error", message.payload.message);
        break;
      default:
        break;
    }
  }

  #status(status: Status): void {
    const { phase, message = "", said, choices = [] } = status;
    switch (phase) {
      case "running":
        this.#growing.clear();
        this.#settlePrompt();
        if (said !== undefined) this.#heard(said);
        break;
      case "interjection":
        this.#heard(message);
        break;
      case "prompt":
        this.#ask(message, choices);
        break;
      case "thinking":
        this.#grow("note", { text: message, subagentId: "thinking" });
        break;
      case "aborted":
        this.#settlePrompt();
        this.#add("note", message === "" ? "(aborted)" : message);
        break;
      case "queued":
      case "calling":
      case "output":
        break;
      default:
        if (message !== "") this.#add("note", message);
        break;
    }
  }

  #heard(text: string): void {
    const own = this.#sent.indexOf(text);
    if (own === -1) this.#add("user", text);
    else this.#sent.splice(own, 1);
  }

  #ask(text: string, choices: readonly { key: string; label: string }[] = []): void {
    if (this.#prompt?.text === text) return;
    this.#settlePrompt();
    const { say } = this.#options;
    const answers = choices.map(({ key, label }) => ({ label, give: () => say(key) }));
    this.#prompt = this.#add("question", text, answers);
  }

  #settlePrompt(): void {
    if (this.#prompt === undefined) return;
    this.#options.emit({ ...this.#prompt, kind: "note", answers: [] });
    this.#prompt = undefined;
  }

  #grow(kind: AgentLine["kind"], piece: TextChunk): void {
    const agentId = piece.subagentId ?? "";
    const former = this.#growing.get(agentId);
    if (former === undefined) {
      this.#growing.set(agentId, this.#add(kind, addLabel(piece.contextLabel, piece.text)));
      return;
    }
    const line = { ...former, text: former.text + piece.text };
    this.#growing.set(agentId, line);
    this.#options.emit(line);
  }

  #done({ text, contextLabel, subagentId = "" }: TextChunk): void {
    const former = this.#growing.get(subagentId);
    this.#growing.delete(subagentId);
    if (text === "") return;
    const fullText = addLabel(contextLabel, text);
    if (former === undefined) this.#add("assistant", fullText);
    else if (former.text !== fullText) this.#options.emit({ ...former, text: fullText });
  }

  #add(kind: AgentLine["kind"], text: string, answers: readonly LineAnswer[] = []): AgentLine {
    if (kind !== "user") this.#growing.delete("thinking");
    this.#count += 1;
    const line = { id: `line-${this.#count}`, kind, text, answers };
    this.#options.emit(line);
    return line;
  }
}

interface TextChunk {
  readonly text: string;
  readonly contextLabel?: string | undefined;
  readonly subagentId?: string | undefined;
}

function addLabel(label: string | undefined, text: string): string {
  return label === undefined ? text : `${label} ${text}`;
}

function formatCall(name: string, args: unknown): string {
  return args === undefined ? name : `${name} ${JSON.stringify(args)}`;
}
