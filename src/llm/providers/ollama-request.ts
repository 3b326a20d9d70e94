import { isPlainObject } from "../../shared/json.ts";

/**
 * A request of the library in the words of Ollama's documentation: no field that it does not name,
 * results with the name of their tool, and what is fixed for the model.
 */
export function ollamaRequest(
  { model, messages, tools, stream, format }: Readonly<Record<string, unknown>>,
  fixed: object,
): Record<string, unknown> {
  const names = new Map<unknown, unknown>();
  const given = Array.isArray(messages) ? messages.filter(isPlainObject) : [];
  return {
    model,
    messages: given.map((message) => messageOf(message, names)),
    ...(tools !== undefined && { tools }),
    ...(format !== undefined && { format }),
    stream,
    ...fixed,
  };
}

function messageOf(
  { role, content, images, thinking, tool_calls: calls, tool_call_id: id }: Record<string, unknown>,
  names: Map<unknown, unknown>,
): Record<string, unknown> {
  const text = typeof content === "string" ? content : "";
  if (role === "tool") {
    return { role, content: text, tool_call_id: id, tool_name: names.get(id) ?? "" };
  }
  const called = Array.isArray(calls) ? calls.filter(isPlainObject).map(callOf) : [];
  for (const call of called) names.set(call.id, call.function.name);
  return {
    role,
    content: text,
    ...(Array.isArray(images) && { images }),
    ...(typeof thinking === "string" && { thinking }),
    ...(called.length > 0 && { tool_calls: called }),
  };
}

function callOf({ id, function: named }: Record<string, unknown>) {
  const { name, arguments: given } = isPlainObject(named) ? named : {};
  // An object: text is what other APIs take.
  return { id, function: { name, arguments: isPlainObject(given) ? given : {} } };
}
