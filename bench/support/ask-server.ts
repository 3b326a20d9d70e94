import { type Agent, request } from "node:http";

interface ServerRequest {
  readonly url: string;
  readonly method: string;
  /** Path below `/api/v1`. */
  readonly path: string;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** Returns the text of a response. Rejects with it if the status is not a success. */
export function sendRequest(
  agent: Agent,
  { url, method, path, body }: ServerRequest,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
    const headers =
      method === "GET"
        ? {}
        : { "content-type": type, "content-length": String(Buffer.byteLength(text)) };
    const sent = request(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const answer = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) resolve(answer);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 300)}`));
      });
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : text);
  });
}
