import type { CalledTool } from "./messages-faults.ts";
import { event } from "./strict-service.ts";

export type MessagesEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

type Block = Readonly<Record<string, unknown>>;

export const asServerSent = (data: MessagesEvent): string => event(data, data.type);

export function createTwoReadCalls(turn: number): readonly CalledTool[] {
  return [1, 2].map((index) => ({ name: "read", input: { path: `f${turn}${index}` } }));
}

export function messagesCalls(
  turn: number,
  calls: readonly CalledTool[],
): readonly MessagesEvent[] {
  const call = ({ name, input }: CalledTool, at: number) => {
    const index = at + 1;
    const text = JSON.stringify(input);
    return block(index, { type: "tool_use", id: `toolu_${turn}_${index}`, name, input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: text.slice(0, 4) },
      { type: "input_json_delta", partial_json: text.slice(4) },
    ]);
  };
  const thinking = block(0, { type: "thinking", thinking: "" }, [
    { type: "thinking_delta", thinking: `Step ${turn}.` },
    { type: "signature_delta", signature: `s${turn}` },
  ]);
  return [START, ...thinking, ...calls.flatMap(call), ...end("tool_use")];
}

export function messagesClosing(): readonly MessagesEvent[] {
  const text = block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "Done." }]);
  return [START, ...text, ...end("end_turn")];
}

const START: MessagesEvent = {
  type: "message_start",
  message: {
    ...{ id: "m", type: "message", role: "assistant", model: "x", content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 1 },
  },
};

function block(
  index: number,
  content_block: Block,
  deltas: readonly Block[],
): readonly MessagesEvent[] {
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

const end = (stop_reason: string): readonly MessagesEvent[] => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: "message_stop" },
];
