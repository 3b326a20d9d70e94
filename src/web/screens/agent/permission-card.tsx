import { useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Question } from "../../agent/entry.ts";
import { answerQuestion, type Decision } from "../../agent/question-actions.ts";
import { Keys } from "../../components/keys.tsx";
import { Stored } from "../../components/stored.tsx";
import { DiffView } from "./diff-view.tsx";

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
        {contextLabel !== undefined && <Stored as="span" class="quiet" text={contextLabel} />}
      </p>
      {isTitled && <Stored as="p" text={title} />}
      {command !== undefined && <Stored as="pre" class="command" text={command} />}
      {diff !== undefined && <DiffView of={diff} />}
      {reason !== "" && <Stored as="p" class="notice" text={reason} />}
      {isDenying ? <DenyForm {...props} /> : <Answers {...props} />}
      {always.length > 0 && !isDenying && (
        <p class="quiet">
          Always-allow rule: <Stored as="code" text={always.join(", ")} />
        </p>
      )}
    </section>
  );
}

function Answers({ connection, question, hasKeys, onDeny }: Required<CardProps>) {
  const answer = (decision: Decision) => () => answerQuestion(connection, question, decision);
  const more = question.always.length > 0;
  return (
    <div class="item-actions">
      <button type="button" class="button primary" onClick={answer("once")}>
        Allow once {hasKeys && <Keys of={["1"]} />}
      </button>
      {more && (
        <button type="button" class="button" onClick={answer("always")}>
          Always in this project {hasKeys && <Keys of={["2"]} />}
        </button>
      )}
      {more && (
        <button type="button" class="button" onClick={answer("session")}>
          In this thread {hasKeys && <Keys of={["4"]} />}
        </button>
      )}
      <button type="button" class="button danger" onClick={() => onDeny(true)}>
        Deny {hasKeys && <Keys of={["3"]} />}
      </button>
    </div>
  );
}

function DenyForm({ connection, question, onDeny }: Required<CardProps>) {
  const [words, setWords] = useState("");
  return (
    <form
      class="deny"
      onSubmit={(event) => {
        event.preventDefault();
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
        <button type="submit" class="button danger">
          Deny
        </button>
        <button type="button" class="button quiet" onClick={() => onDeny(false)}>
          Cancel
        </button>
      </div>
    </form>
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
