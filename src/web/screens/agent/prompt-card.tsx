import type { ComponentChildren } from "preact";
import type { Prompt } from "../../agent/thread-log.ts";
import { Keys } from "../../components/keys.tsx";
import { TextBody } from "../../components/text-body.tsx";

interface PromptCardProps {
  readonly of: Prompt;
  /** Rendered question; default: plain text. */
  readonly children?: ComponentChildren;
  /** True if the keys of the choices are active. */
  readonly hasKeys?: boolean;
  onAnswer(text: string): void;
}

export function PromptCard({ of, children, hasKeys = false, onAnswer }: PromptCardProps) {
  return (
    <section class="permission" aria-label="Question from the agent">
      <p class="item-line">
        <span class="mark warn">needs an answer</span>
      </p>
      {children ?? <TextBody text={of.text} isWhole />}
      {of.choices.length > 0 && (
        <div class="item-actions">
          {of.choices.map(({ key, label }) => (
            <button key={key} type="button" class="button" onClick={() => onAnswer(key)}>
              {label} {hasKeys && <Keys of={[key]} />}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}
