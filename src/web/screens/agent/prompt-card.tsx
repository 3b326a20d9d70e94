import type { Prompt } from "../../agent/thread-log.ts";
import { TextBody } from "../../components/text-body.tsx";

interface PromptCardProps {
  readonly of: Prompt;
  onAnswer(text: string): void;
}

export function PromptCard({ of: { text, choices }, onAnswer }: PromptCardProps) {
  return (
    <section class="permission" aria-label="It asks you">
      <p class="item-line">
        <span class="mark warn">waits for you</span>
      </p>
      <TextBody text={text} isWhole />
      <div class="item-actions">
        {choices.map(({ key, label }) => (
          <button key={key} type="button" class="button" onClick={() => onAnswer(key)}>
            {label} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
      <p class="quiet">Or answer in the field below, in your own words.</p>
    </section>
  );
}
