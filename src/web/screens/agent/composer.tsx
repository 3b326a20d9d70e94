import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import {
  complete,
  type Effort,
  mentionAt,
  type Offer,
  offeredCommands,
  offeredPaths,
  type PermissionMode,
} from "../../agent/entry.ts";
import { Button, Checkbox, Form, IconButton } from "../../components/controls.tsx";
import { usePage } from "../../page.ts";
import type { Attachment, OpenThread } from "./use-thread.ts";

const MAX_PIXELS = 1_600;
const MENTION = /(?:^|\s)@image:([0-9a-f]{16}\.\w{3,4})(?=\s|$)/g;

/** Separates a message from the images that it mentions. */
export function splitImages(text: string): {
  readonly words: string;
  readonly names: readonly string[];
} {
  const names = [...text.matchAll(MENTION)].map(([, name = ""]) => name);
  return { words: names.length === 0 ? text : text.replace(MENTION, "").trim(), names };
}

/** A stored image. Its request carries the token, which an `img` element cannot send. */
export function StoredPicture({ name }: { readonly name: string }) {
  const { agent } = usePage();
  const load = async () => {
    const headers = { authorization: `Bearer ${agent.access.token ?? ""}` };
    const response = await fetch(`/agent/images/${name}`, { headers });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.blob();
  };
  return <Picture id={name} label={`Image ${name}`} load={load} />;
}

interface PictureProps {
  readonly id: string;
  readonly label: string;
  load(): Promise<Blob>;
}

/** Drawn on a canvas: the content security policy allows no `blob:` images. */
function Picture({ id, label, load }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLarge, setLarge] = useState(false);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    load()
      .then((blob) => draw(canvas.current, blob))
      // Images are deleted after 30 days; the name is shown instead.
      .catch(() => setMissing(true));
  }, [id]);
  if (isMissing) return <span class="chip">{label}: not available</span>;
  return (
    <button
      type="button"
      class="picture"
      aria-label={label}
      aria-expanded={isLarge}
      onClick={() => setLarge(!isLarge)}
    >
      <canvas ref={canvas} width={1} height={1} />
    </button>
  );
}

async function draw(canvas: HTMLCanvasElement | null, blob: Blob): Promise<void> {
  const image = await createImageBitmap(blob);
  const scale = Math.min(1, MAX_PIXELS / Math.max(image.width, image.height));
  if (canvas !== null) {
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  image.close();
}

/** An earlier message that is edited; sending it reverts that message and all after it. */
export interface EditedMessage {
  readonly text: string;
  onCancel(): void;
  /** Resolves to false if nothing was reverted; the text then stays. */
  onSend(text: string, revertsFiles: boolean): Promise<boolean>;
}

interface ComposerProps {
  readonly open: OpenThread;
  readonly edited: EditedMessage | undefined;
  /** The user's last message, for the up arrow. */
  lastMessage(): string | undefined;
}

/**
 * Message field: `/` completes commands, `@` completes paths; images are attached, pasted or
 * dropped.
 */
export function Composer({ open, edited, lastMessage }: ComposerProps) {
  const { connection, isBusy } = open;
  const draftKey = `cairn-agent-draft ${open.draftOf}`;
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey) ?? "");
  const [cursor, setCursor] = useState(0);
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const [revertsFiles, setRevertsFiles] = useState(true);
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
  useEffect(() => {
    if (edited === undefined) return;
    change(edited.text, edited.text.length);
    field.current?.focus();
  }, [edited]);
  const take = (offer: Offer) => {
    const next = complete(text, cursor, offer);
    change(next.text, next.cursor);
    field.current?.focus();
  };
  const send = async () => {
    if (text.trim() === "" && images.length === 0) return;
    const isSent =
      edited === undefined ? open.say(text, images) : await edited.onSend(text, revertsFiles);
    if (!isSent) return;
    change("", 0);
    setImages([]);
  };
  const attach = async (files: Iterable<File>) => {
    const added = await readImages(files);
    setImages((previous) => [
      ...previous,
      ...added.filter(({ id }) => previous.every((one) => one.id !== id)),
    ]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const offer = shown[chosen];
    const last = event.key === "ArrowUp" && text === "" ? lastMessage() : undefined;
    if (offer !== undefined && (event.key === "Tab" || event.key === "Enter")) take(offer);
    else if (shown.length > 0 && event.key === "ArrowDown") setChosen((chosen + 1) % shown.length);
    else if (shown.length > 0 && event.key === "ArrowUp") {
      setChosen((chosen + shown.length - 1) % shown.length);
    } else if (shown.length > 0 && event.key === "Escape") setDismissed(true);
    else if (event.key === "Escape") field.current?.blur();
    else if (event.key === "Enter" && !event.shiftKey) void send();
    else if (last !== undefined) change(last, last.length);
    else return;
    event.preventDefault();
  };
  return (
    <Form
      class="composer"
      onSubmit={() => void send()}
      onDrop={(event) => void attach(event.dataTransfer?.files ?? [])}
    >
      <Offers offers={shown} chosen={chosen} onTake={take} />
      {edited !== undefined && (
        <p class="notice warn composer-edit">
          <span>Sending reverts this message and everything after it.</span>
          <Checkbox checked={revertsFiles} onChange={setRevertsFiles}>
            Revert files too
          </Checkbox>
          <Button
            kind="quiet"
            onClick={() => {
              edited.onCancel();
              change("", 0);
            }}
          >
            Cancel
          </Button>
        </p>
      )}
      <Attached
        attachments={images}
        onRemove={(removed) => setImages(images.filter(({ id }) => id !== removed))}
      />
      <textarea
        ref={field}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        aria-label="Message to the agent"
        aria-controls={shown.length > 0 ? "offers" : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `offer-${chosen}` : undefined}
        placeholder={isBusy ? "Queue a message" : "Describe a task. / for commands, @ for files"}
        value={text}
        onInput={({ currentTarget: { value, selectionStart } }) => change(value, selectionStart)}
        onKeyDown={press}
        onPaste={(event) => void attach(event.clipboardData?.files ?? [])}
      />
      <div class="composer-foot">
        {edited === undefined && <AttachButton onFiles={(files) => void attach(files)} />}
        <ModelPickers open={open} />
        {isBusy && <Button onClick={open.stop}>Stop</Button>}
        <Button type="submit" kind="primary">
          Send
        </Button>
      </div>
    </Form>
  );
}

function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label="Attach images" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES}
        aria-label="Images"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

interface AttachedProps {
  readonly attachments: readonly Attachment[];
  onRemove(id: string): void;
}

function Attached({ attachments, onRemove }: AttachedProps) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attached" aria-label="Attached images">
      {attachments.map(({ id, name, file }) => (
        <li key={id}>
          <Picture id={id} label={name} load={() => Promise.resolve(file)} />
          <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(id)} />
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
  const commands = offeredCommands(text, connection.responses.commands.value);
  if (commands !== undefined) return commands;
  const found = connection.responses.paths.value;
  return typed !== undefined && found?.typed === typed ? offeredPaths(found.paths) : [];
}

interface OffersProps {
  readonly offers: readonly Offer[];
  readonly chosen: number;
  onTake(offer: Offer): void;
}

function Offers({ offers, chosen, onTake }: OffersProps) {
  if (offers.length === 0) return null;
  return (
    <div id="offers" class="choices offers" role="listbox" aria-label="Suggestions">
      {offers.map((offer, index) => (
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

const IMAGE_TYPES = "image/png,image/jpeg,image/gif,image/webp";
const MAX_ITEMS = 10;

async function readImages(files: Iterable<File>): Promise<readonly Attachment[]> {
  const types = IMAGE_TYPES.split(",");
  const images = [...files].filter(({ type }) => types.includes(type)).slice(0, MAX_ITEMS);
  return Promise.all(
    images.map(async (file) => {
      const id = `${file.name} ${file.size} ${file.lastModified}`;
      return { id, name: file.name, file, data: await base64Of(file) };
    }),
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

const MODES: readonly Option<PermissionMode>[] = [
  { value: "plan", title: "Plan", about: "Reads only" },
  { value: "ask", title: "Ask", about: "Asks before edits and commands" },
  { value: "edits", title: "Accept edits", about: "Edits in the project without asking" },
  { value: "auto", title: "Auto", about: "Asks only for what cannot be undone" },
];

const EFFORTS: readonly Option<Effort>[] = [
  { value: "off", title: "Off" },
  { value: "low", title: "Low" },
  { value: "medium", title: "Medium" },
  { value: "high", title: "High" },
];

/** Menus for permission mode, model and effort of the next message. */
function ModelPickers({ open }: { readonly open: OpenThread }) {
  const { connection, threadId, thread, isBusy } = open;
  const { ready, models, chosen } = connection.responses;
  const isLive = connection.isLive.value;
  const isCreated = thread !== undefined;
  useEffect(() => {
    // A command such as /model may have changed it.
    if (isLive && isCreated) connection.send({ type: "thread.choose", payload: { threadId } });
  }, [connection, isLive, isCreated, threadId, isBusy]);
  if (ready.value === undefined) return <span class="pickers" />;
  const own = chosen.value?.threadId === threadId ? chosen.value : undefined;
  const model = own?.model ?? thread?.model ?? ready.value.model;
  const names = models.value.includes(model) ? models.value : [model, ...models.value];
  return (
    <span class="pickers">
      <Picker
        label="Mode"
        value={ready.value.permissionMode}
        options={MODES}
        onChoose={(mode) => connection.send({ type: "mode.set", payload: { mode } })}
      />
      <Picker
        label="Model"
        value={model}
        options={names.map((value) => ({ value, title: value }))}
        onChoose={(name) =>
          open.send({ type: "thread.choose", payload: { threadId, model: name } })
        }
      />
      <Picker
        label="Effort"
        value={own?.effort}
        options={EFFORTS}
        onChoose={(effort) => open.send({ type: "thread.choose", payload: { threadId, effort } })}
      />
    </span>
  );
}

interface Option<Value extends string> {
  readonly value: Value;
  readonly title: string;
  readonly about?: string;
}

interface PickerProps<Value extends string> {
  readonly label: string;
  /** Undefined for the provider's default. */
  readonly value: Value | undefined;
  readonly options: readonly Option<Value>[];
  onChoose(value: Value): void;
}

function Picker<Value extends string>({ label, value, options, onChoose }: PickerProps<Value>) {
  const about = options.find((option) => option.value === value)?.about;
  return (
    <select
      class="picker"
      aria-label={label}
      title={about === undefined ? label : `${label}: ${about}`}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
    >
      {value === undefined && (
        <option value="" disabled>
          {label}: default
        </option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value} title={option.about}>
          {option.title}
        </option>
      ))}
    </select>
  );
}
