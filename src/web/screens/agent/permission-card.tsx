import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Question } from "../../agent/entry.ts";
import { answerQuestion, type Decision } from "../../agent/question-actions.ts";
import type { Prompt } from "../../agent/thread-log.ts";
import { Button, Form } from "../../components/controls.tsx";
import { Keys } from "../../components/keys.tsx";
import { Stored } from "../../components/stored.tsx";
import { TextBody } from "../../markdown/text-body.tsx";
import { DiffCount, DiffView } from "./diff-view.tsx";

interface CardProps {
  readonly connection: AgentConnection;
  readonly question: Question;
  /** True if the field for alternative instructions is open. */
  readonly isDenying?: boolean;
  /** True if this card handles the question keys. */
  readonly hasKeys?: boolean;
  onDeny?(isDenying: boolean): void;
}

/** A call that waits for permission: its details, the reason, and the effect of each answer. */
export function PermissionCard(input: CardProps) {
  const [isOwn, setOwn] = useState(false);
  const props = { isDenying: isOwn, hasKeys: false, onDeny: setOwn, ...input };
  const { question, isDenying } = props;
  const { tool, title, command, diff, reason, always, contextLabel } = question;
  const isTitled = command === undefined || diff !== undefined;
  return (
    <section class="permission" aria-label={`Allow ${tool}?`}>
      <p class="item-line">
        <span class="mark warn">needs approval</span>
        <Stored as="b" text={tool} />
        {diff !== undefined && <DiffCount diff={diff} />}
        {contextLabel !== undefined && <Stored as="span" class="quiet" text={contextLabel} />}
      </p>
      {isTitled && <Stored as="p" text={title} />}
      {command !== undefined && <Stored as="pre" class="command" text={command} />}
      {diff !== undefined && <DiffView diff={diff} />}
      {reason !== "" && <Stored as="p" class="notice" text={reason} />}
      {isDenying ? <DenyForm {...props} /> : <Responses {...props} />}
      {always.length > 0 && !isDenying && (
        <p class="quiet">
          Always-allow rule: <Stored as="code" text={always.join(", ")} />
        </p>
      )}
    </section>
  );
}

function Responses({ connection, question, hasKeys, onDeny }: Required<CardProps>) {
  const answer = (decision: Decision) => () => answerQuestion(connection, question, decision);
  const more = question.always.length > 0;
  return (
    <div class="item-actions">
      <Button kind="primary" onClick={answer("once")}>
        Allow once {hasKeys && <Keys keys={["1"]} />}
      </Button>
      {more && (
        <Button onClick={answer("always")}>
          Always in this project {hasKeys && <Keys keys={["2"]} />}
        </Button>
      )}
      {more && (
        <Button onClick={answer("session")}>
          In this thread {hasKeys && <Keys keys={["4"]} />}
        </Button>
      )}
      <Button kind="danger" onClick={() => onDeny(true)}>
        Deny {hasKeys && <Keys keys={["3"]} />}
      </Button>
    </div>
  );
}

function DenyForm({ connection, question, onDeny }: Required<CardProps>) {
  const [words, setWords] = useState("");
  return (
    <Form
      class="deny"
      onSubmit={() => {
        answerQuestion(connection, question, "no", words);
        onDeny(false);
      }}
    >
      <label class="field">
        What to do instead (optional)
        <input
          value={words}
          ref={(field) => field?.focus()}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === "Escape") onDeny(false);
          }}
        />
      </label>
      <div class="item-actions">
        <Button type="submit" kind="danger">
          Deny
        </Button>
        <Button kind="quiet" onClick={() => onDeny(false)}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

interface Denial {
  begin(question: Question | undefined): void;
  on(question: Question): {
    readonly isDenying: boolean;
    onDeny(isDenying: boolean): void;
  };
}

/** State of the field for the reason of a denial. */
export function useDenial(): Denial {
  const [denied, setDenied] = useState<string>();
  return {
    begin: (question) => setDenied(question?.questionId),
    on: ({ questionId }) => ({
      isDenying: denied === questionId,
      onDeny: (isDenying) => setDenied(isDenying ? questionId : undefined),
    }),
  };
}

interface PromptCardProps {
  readonly prompt: Prompt;
  /** Rendered question; default: plain text. */
  readonly children?: ComponentChildren;
  /** True if the keys of the choices are active. */
  readonly hasKeys?: boolean;
  onAnswer(text: string): void;
}

export function PromptCard({ prompt, children, hasKeys = false, onAnswer }: PromptCardProps) {
  return (
    <section class="permission" aria-label="Question from the agent">
      <p class="item-line">
        <span class="mark warn">needs an answer</span>
      </p>
      {children ?? <TextBody text={prompt.text} isWhole />}
      {prompt.choices.length > 0 && (
        <div class="item-actions">
          {prompt.choices.map(({ key, label }) => (
            <Button key={key} onClick={() => onAnswer(key)}>
              {label} {hasKeys && <Keys keys={[key]} />}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
