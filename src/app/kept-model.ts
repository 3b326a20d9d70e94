import { fileURLToPath } from "node:url";
import type { Embedder, EmbedOptions, Reading, TextInContext } from "../embedding/index.ts";
import { signedReading } from "../embedding/index.ts";
import { askModel } from "./daemon/index.ts";

const MANY = 32;

export function withDaemonModel(own: Embedder, folder: string): Embedder {
  const { read: readAlone, readMany: readManyAlone } = own;
  if (readAlone === undefined || readManyAlone === undefined) return own;
  const program = fileURLToPath(new URL("./daemon.program.js", import.meta.url));
  let isAlone = false;

  const read = async (texts: readonly TextInContext[], options: EmbedOptions = {}) => {
    const { signal, role = "passage" } = options;
    if (!isAlone && texts.length < MANY) {
      signal?.throwIfAborted();
      const found = await askModel(folder, { program, texts, role, signal }).catch(() => undefined);
      signal?.throwIfAborted();
      if (found !== undefined) return found.map(readingOf);
    }
    isAlone = true;
    return readAlone(texts, options);
  };

  return {
    ...own,
    read,
    async readMany(texts, options = {}) {
      if (isAlone || texts.length >= MANY) return readManyAlone(texts, options);
      return (await read(texts, options)).map(signedReading);
    },
    async embed(texts, options) {
      if (isAlone || texts.length >= MANY) return own.embed(texts, options);
      const inContext = texts.map((text) => ({ text, before: "" }));
      return (await read(inContext, options)).map(({ vector }) => vector);
    },
  };
}

type Sent = NonNullable<Awaited<ReturnType<typeof askModel>>>[number];

function readingOf({ vector, tokens }: Sent): Reading {
  return {
    vector: floats(vector),
    tokens: tokens.map((token) => ({ text: token.text, vector: floats(token.vector) })),
  };
}

/** A copy, which begins where numbers of four bytes may. */
function floats(sent: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(sent, "base64")).buffer);
}
