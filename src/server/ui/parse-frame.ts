import type { z } from "zod";
import { type CairnError, invalidInput } from "../../shared/errors.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { type ClientMessage, type ClientMessageType, clientMessages } from "./client-messages.ts";
import { LONGEST_THREAD_ID } from "./thread-id.ts";

/** A frame that is no message of the protocol; told to its sender. */
export interface FrameMistake {
  readonly error: CairnError;
  /** The thread that the frame was about, as it says, valid or not. */
  readonly threadId?: string;
}

export type ParsedFrame =
  | { readonly message: ClientMessage; readonly mistake?: undefined }
  | { readonly message?: undefined; readonly mistake: FrameMistake };

/** Checks one text frame against the protocol. Never throws. */
export function parseFrame(text: string): ParsedFrame {
  let frame: unknown;
  try {
    frame = parseJson(text);
  } catch (error) {
    const reason = error instanceof JsonSyntaxError ? error.message : "It cannot be parsed";
    return mistake(`The frame is not JSON. ${reason}.`);
  }
  if (!isPlainObject(frame) || typeof frame.type !== "string") {
    return mistake('A frame is a JSON object with a text "type" and, where needed, a "payload".');
  }
  if (!isMessageType(frame.type)) return mistake(unknownType(frame.type), frame.payload);
  const { payload } = clientMessages[frame.type];
  const parsed = payload.safeParse(frame.payload ?? {});
  if (!parsed.success) return mistake(explain(frame.type, parsed.error), frame.payload);
  return { message: { type: frame.type, payload: parsed.data } as ClientMessage };
}

function isMessageType(type: string): type is ClientMessageType {
  return Object.hasOwn(clientMessages, type);
}

const LONGEST_SHOWN = 64;

function unknownType(type: string): string {
  const shown = JSON.stringify(type.slice(0, LONGEST_SHOWN));
  const types = Object.keys(clientMessages);
  return `Unknown message type ${shown}.${didYouMean(type.slice(0, LONGEST_SHOWN), types)}`;
}

function explain(type: string, error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => {
    const field = ["payload", ...path.map(String)].join(".");
    return `${field} ${message.startsWith("must") ? message : `is not valid (${message})`}`;
  });
  return `${type}: ${problems.join("; ")}.`;
}

function mistake(message: string, payload?: unknown): ParsedFrame {
  const named = isPlainObject(payload) ? payload.threadId : undefined;
  const isTellable = typeof named === "string" && named.length <= LONGEST_THREAD_ID;
  const error = invalidInput(message);
  return { mistake: isTellable ? { error, threadId: named } : { error } };
}
