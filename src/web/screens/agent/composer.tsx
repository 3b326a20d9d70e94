import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import {
  complete,
  mentionAt,
  type Offer,
  offeredCommands,
  offeredPaths,
} from "../../agent/entry.ts";
import { type Attachment, readImages } from "../../agent/pasted-images.ts";

interface ComposerProps {
  readonly connection: AgentConnection;
  /** The thread of the unsent text, which survives a reload of the tab. */
  readonly draftOf: string;
  readonly isBusy: boolean;
  /** False: there is no connection, and the text stays. */
  onSend(text: string, attachments: readonly Attachment[]): boolean;
  onStop(): void;
}

/** Where a person writes: `/` offers commands, `@` paths; images are pasted or dropped. */
export function Composer({ connection, draftOf, isBusy, onSend, onStop }: ComposerProps) {
  const draftKey = `cairn-agent-draft ${draftOf}`;
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey) ?? "");
  const [cursor, setCursor] = useState(0);
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const offers = useOffers(connection, text, cursor);
  const shown = isDismissed ? [] : offers;
  const change = (value: string, at: number) => {
    setText(value);
    setCursor(at);
    setChosen(0);
    setDismissed(false);
    if (value === "") sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, value);
  };
  const take = (offer: Offer) => {
    const next = complete(text, cursor, offer);
    change(next.text, next.cursor);
    field.current?.focus();
  };
  const send = () => {
    if (text.trim() === "" && images.length === 0) return;
    if (!onSend(text, images)) return;
    change("", 0);
    setImages([]);
  };
  const attach = async (files: Iterable<File>) =>
    setImages([...images, ...(await readImages(files))]);
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const offer = shown[chosen];
    if (offer !== undefined && (event.key === "Tab" || event.key === "Enter")) take(offer);
    else if (shown.length > 0 && event.key === "ArrowDown") setChosen((chosen + 1) % shown.length);
    else if (shown.length > 0 && event.key === "ArrowUp") {
      setChosen((chosen + shown.length - 1) % shown.length);
    } else if (shown.length > 0 && event.key === "Escape") setDismissed(true);
    else if (event.key === "Escape") field.current?.blur();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDrop={(event) => void attach(event.dataTransfer?.files ?? [])}
    >
      <Offers of={shown} chosen={chosen} onTake={take} />
      <Attached
        of={images}
        onRemove={(name) => setImages(images.filter((one) => one.name !== name))}
      />
      <textarea
        ref={field}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        aria-label="Message to the agent"
        aria-controls={shown.length > 0 ? "offers" : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `offer-${chosen}` : undefined}
        placeholder="What should be done? / for commands, @ for files"
        value={text}
        onInput={({ currentTarget: { value, selectionStart } }) => change(value, selectionStart)}
        onKeyDown={press}
        onPaste={(event) => void attach(event.clipboardData?.files ?? [])}
      />
      <ComposerFoot isBusy={isBusy} onStop={onStop} />
    </form>
  );
}

function ComposerFoot({ isBusy, onStop }: Pick<ComposerProps, "isBusy" | "onStop">) {
  return (
    <div class="composer-foot">
      <span class="quiet">
        {isBusy ? "A message that you send now waits, or steers the run." : ""}
      </span>
      {isBusy && (
        <button type="button" class="button" onClick={onStop}>
          Stop
        </button>
      )}
      <button type="submit" class="button primary">
        Send
      </button>
    </div>
  );
}

interface AttachedProps {
  readonly of: readonly Attachment[];
  onRemove(name: string): void;
}

function Attached({ of, onRemove }: AttachedProps) {
  if (of.length === 0) return null;
  return (
    <ul class="attached">
      {of.map(({ name }) => (
        <li key={name} class="chip">
          {name}
          <button
            type="button"
            class="icon-button"
            aria-label={`Leave ${name} out`}
            onClick={() => onRemove(name)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

function useOffers(connection: AgentConnection, text: string, cursor: number): readonly Offer[] {
  const typed = mentionAt(text, cursor);
  useEffect(() => {
    if (typed !== undefined) connection.send({ type: "path.list", payload: { typed } });
  }, [connection, typed]);
  const commands = offeredCommands(text, connection.answers.commands.value);
  if (commands !== undefined) return commands;
  const found = connection.answers.paths.value;
  return typed !== undefined && found?.typed === typed ? offeredPaths(found.paths) : [];
}

interface OffersProps {
  readonly of: readonly Offer[];
  readonly chosen: number;
  onTake(offer: Offer): void;
}

function Offers({ of, chosen, onTake }: OffersProps) {
  if (of.length === 0) return null;
  return (
    <div id="offers" class="choices offers" role="listbox" aria-label="What could be meant">
      {of.map((offer, index) => (
        <div
          key={offer.title}
          id={`offer-${index}`}
          class="choice"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(offer);
          }}
        >
          <span class="choice-title">{offer.title}</span>
          <span class="choice-detail quiet">{offer.detail}</span>
        </div>
      ))}
    </div>
  );
}
