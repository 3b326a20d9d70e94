import type { ModelMessage } from "ai";
import { findModel } from "./profiles/find-model.ts";

export function seesImages(model: string, configured: boolean | undefined): boolean {
  if (configured !== undefined) return configured;
  return findModel(model).acceptsImages === true;
}

export interface ImageAbility {
  readonly acceptsImages: boolean;
  readonly inResults: boolean;
}

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number];

/**
 * Moves images to where the model accepts them: tool results, a following message, or a text note.
 */
export function placeImages(
  messages: readonly ModelMessage[],
  ability: ImageAbility,
): readonly ModelMessage[] {
  const result: ModelMessage[] = [];
  let moved: UserPart[] = [];
  const flush = () => {
    if (moved.length > 0)
      result.push({ role: "user", content: [{ type: "text", text: MOVED_NOTE }, ...moved] });
    moved = [];
  };
  for (const message of messages) {
    if (message.role === "tool" && !(ability.acceptsImages && ability.inResults)) {
      const { kept, images } = extractImages(message, ability.acceptsImages);
      result.push(kept);
      moved.push(...images);
      continue;
    }
    flush();
    result.push(message.role === "user" && !ability.acceptsImages ? addNotes(message) : message);
  }
  flush();
  return result;
}

const MOVED_NOTE = "[cairn] Images of the results above, in order:";
const UNSEEN_NOTE = "[image omitted: this model does not accept images]";
const BELOW_NOTE = "[image below]";

function addNotes(message: Extract<ModelMessage, { role: "user" }>): ModelMessage {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "text" ? part : { type: "text" as const, text: UNSEEN_NOTE },
  );
  return { ...message, content };
}

const REFUSED_NOTE = "[image omitted: the provider rejected it]";

/** Replaces images with a note; returns the same array without images. */
export function removeImages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const cleaned = messages.map(removeImagesFrom);
  return cleaned.some((message, index) => message !== messages[index]) ? cleaned : messages;
}

function removeImagesFrom(message: ModelMessage): ModelMessage {
  if (message.role === "user" && typeof message.content !== "string") {
    if (message.content.every(({ type }) => type === "text")) return message;
    const content = message.content.map((part) =>
      part.type === "text" ? part : { type: "text" as const, text: REFUSED_NOTE },
    );
    return { ...message, content };
  }
  if (message.role !== "tool") return message;
  let found = false;
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    if (part.output.value.every(({ type }) => type === "text")) return part;
    found = true;
    const value = part.output.value.map((item) =>
      item.type === "text" ? item.text : REFUSED_NOTE,
    );
    return { ...part, output: { type: "text" as const, value: value.join("\n") } };
  });
  return found ? { ...message, content } : message;
}

function extractImages(message: ToolMessage, hasVision: boolean) {
  const images: UserPart[] = [];
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    const lines = part.output.value.map((item) => {
      if (item.type === "text") return item.text;
      if (item.type !== "image-data") return "";
      if (hasVision) images.push({ type: "image", image: item.data, mediaType: item.mediaType });
      return hasVision ? BELOW_NOTE : UNSEEN_NOTE;
    });
    return { ...part, output: { type: "text" as const, value: lines.join("\n") } };
  });
  return { kept: { ...message, content } satisfies ToolMessage, images };
}
