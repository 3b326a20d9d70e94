import type { Context } from "hono";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import { JsonSyntaxError, parseJson } from "../../shared/json.ts";
import type { HttpEnv } from "./guard-middleware.ts";
import { bodyOf } from "./whole-bodies.ts";

/**
 * The JSON value of the request's body. Throws unsupported_media_type when it is not declared as
 * JSON (which also keeps out cross-site forms), invalid_input when it is broken.
 */
export async function readJsonBody(c: Context<HttpEnv>): Promise<unknown> {
  requireJson(c.req.header("content-type"));
  const text = decode(bodyOf(c.env?.incoming) ?? (await c.req.arrayBuffer()));
  if (text.trim() === "") throw invalidInput("The body is empty. Send a JSON object.");
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw invalidInput(`${error.message}.`);
    throw error;
  }
}

function requireJson(contentType: string | undefined): void {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (isUtf8 && /^application\/(json|[a-z0-9.+-]+\+json)$/.test(type.trim())) return;
  throw new CairnError(
    "unsupported_media_type",
    "The body is taken as JSON in UTF-8 only. Send the header Content-Type: application/json.",
  );
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw invalidInput("The body is not valid UTF-8.");
    throw error;
  }
}
