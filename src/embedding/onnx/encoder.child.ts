import { constants, setPriority } from "node:os";
import { endWithParent } from "../../kernel/end-with-parent.ts";
import { messageOf } from "../../kernel/errors.ts";
import { signedReading } from "../token-signs.ts";
import type { EncoderAnswer, EncoderRequest } from "./encoder-messages.ts";
import { loadModel } from "./load-model.ts";
import type { ModelFolder } from "./model-folder.ts";
import { readInContext } from "./read-in-context.ts";

endWithParent();
// Requests to the parent process take precedence.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const folder = JSON.parse(process.argv[2] ?? "{}") as ModelFolder;
const loading = loadModel(folder);
// Every request reports the failure itself.
loading.catch(() => undefined);
process.on("message", (request) => void answer(request as EncoderRequest));

async function answer({ id, texts }: EncoderRequest): Promise<void> {
  try {
    const model = await loading;
    const options = { role: "passage", signal: undefined } as const;
    const readings = texts.map((text) => signedReading(readInContext(model, text, options)));
    reply({ id, readings });
  } catch (error) {
    reply({ id, error: messageOf(error) });
  }
}

function reply(answer: EncoderAnswer): void {
  process.send?.(answer);
}
