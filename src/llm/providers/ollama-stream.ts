import { isPlainObject } from "../../shared/json.ts";
import { StreamError } from "../provider-error.ts";

/**
 * An answer whose stream fails at a line that tells an error, with what that line says: the library
 * warns of such a line on the terminal and leaves it out.
 */
export function failingAtErrors(response: Response): Response {
  if (!response.ok || response.body === null) return response;
  let rest = "";
  const watch = new TransformStream<string, string>({
    transform(text, controller) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) pass(line, controller);
    },
    flush(controller) {
      if (rest.trim() !== "") pass(rest, controller);
    },
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(watch)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status: response.status, headers: response.headers });
}

function pass(line: string, controller: TransformStreamDefaultController<string>): void {
  if (line.trim() === "") return;
  const error = errorOf(line);
  if (error === undefined) controller.enqueue(`${line}\n`);
  else controller.error(new StreamError(error));
}

function errorOf(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) && value.message === undefined ? value.error : undefined;
  } catch {
    return "a line of the answer is not JSON: it was cut off";
  }
}
