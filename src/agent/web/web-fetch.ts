import { z } from "zod";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import { packageDescription } from "../../shared/package.ts";
import { runWorker } from "../../shared/worker.ts";
import { fence } from "../documents/fence.ts";
import { defineTool, errorResult, type Tool, type ToolResult } from "../tools/define-tool.ts";
import type { MarkdownPage } from "./convert-page.ts";
import type { WebAccess, WebAnswer } from "./request-page.ts";
import { type PageRequest, requestPage } from "./request-page.ts";

interface PageText {
  readonly isHtml: boolean;
  readonly text: string;
}

/** Other text types than `text/*`. */
const TEXT_TYPES =
  /^(text\/|application\/(json|xml|javascript|ecmascript|x-javascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf)$|application\/.*\+(json|xml|yaml)$|image\/svg\+xml$)/;
const HTML_TYPES = /^(text\/html|application\/xhtml\+xml)$/;
const UNKNOWN_TYPES = /^(|application\/octet-stream|binary\/octet-stream|application\/unknown)$/;
const HEAD_BYTES = 2_048;

/** Throws invalid_input for pictures, archives and other binaries. */
function pageText({ url, contentType, body }: WebAnswer): PageText {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isBinary = body.subarray(0, 8_192).includes(0) && !startsAsUtf16(body);
  if (isBinary || !(TEXT_TYPES.test(type) || UNKNOWN_TYPES.test(type) || HTML_TYPES.test(type))) {
    throw binaryError(url, type, body.length);
  }
  const text = decode(body, contentType);
  const isHtml =
    HTML_TYPES.test(type) || (UNKNOWN_TYPES.test(type) && /^\s*<(!doctype html|html)/i.test(text));
  return { isHtml, text };
}

function binaryError(url: URL, type: string, bytes: number): Error {
  const name = url.pathname.split("/").pop() || "file";
  const is = type.startsWith("image/") ? "a picture" : "no text";
  return invalidInput(
    `${url.href} is ${is} (${type || "of an unknown type"}, ${bytes} bytes). ` +
      `To use it, download it in the shell: curl -o ${JSON.stringify(name)} …`,
  );
}

/** By its first bytes, the server's header, or its own declaration; else UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const head = body.subarray(0, HEAD_BYTES).toString("latin1");
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const detected = startsAsUtf16(body);
  return decoderFor(detected ?? named ?? "utf-8").decode(body);
}

function decoderFor(name: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}

function startsAsUtf16(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined;
}

const MAX_REDIRECTS = 5;

type FollowResult =
  | { readonly kind: "page"; readonly answer: WebAnswer }
  | { readonly kind: "elsewhere"; readonly from: URL; readonly to: URL };

async function followPage(request: PageRequest): Promise<FollowResult> {
  let { url } = request;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await requestPage({ ...request, url });
    if (answer.location === undefined) return { kind: "page", answer };
    const next = URL.canParse(answer.location, url.href)
      ? new URL(answer.location, url)
      : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new CairnError(
        "unavailable",
        `${url.href} redirects to "${answer.location}", which is not a web page.`,
      );
    }
    const isWeaker = url.protocol === "https:" && next.protocol === "http:";
    if (next.host !== url.host || isWeaker) return { kind: "elsewhere", from: url, to: next };
    url = next;
  }
  throw new CairnError("unavailable", `${url.href} redirects more than ${MAX_REDIRECTS} times.`);
}

const PAGE_WORKER = new URL("./page.worker.ts", import.meta.url);
const RESPONSE_TIMEOUT_MS = 30_000;
const CONVERT_MS = 30_000;
const CONVERT_HEAP_MB = 512;
const MAX_SHOWN_CHARACTERS = 40_000;
const MAX_ERROR_CHARACTERS = 1_000;

/** Each host asks once; see `permission`. */
export function webFetchTool(web: WebAccess): Tool {
  return defineTool({
    name: "web_fetch",
    description:
      "Reads a public web page as Markdown, JSON or text. New hosts need the user's consent.",
    readOnly: true,
    input: z.strictObject({
      url: z.string().superRefine(checkUrl),
      offset: z.number().int().min(0).optional().describe("First character, in a long page."),
    }),
    uses: ({ url }) => [{ kind: "host", host: formatHost(new URL(url)) }],
    title: ({ url }) => new URL(url).href,
    async run({ signal }, { url, offset = 0 }): Promise<ToolResult> {
      const limit = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      const { name, version } = packageDescription();
      const followed = await followPage({
        web,
        url: withoutDot(new URL(url)),
        userAgent: `${name}/${version}`,
        signal: AbortSignal.any([signal, limit]),
      }).catch((error) => {
        if (!limit.aborted || signal.aborted) throw error;
        return undefined;
      });
      if (followed === undefined) {
        return errorResult(`${url} did not respond within ${RESPONSE_TIMEOUT_MS / 1000} s.`);
      }
      if (followed.kind === "elsewhere") {
        const { from, to } = followed;
        const text = `${from.href} has moved to ${to.href}. Fetch that address if it is what you want.`;
        return { text, summary: `moved to ${to.href}` };
      }
      return show(followed.answer, await convertToReadable(followed.answer, signal), offset);
    },
  });
}

function checkUrl(text: string, { addIssue }: { addIssue: (message: string) => void }): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    addIssue("must be a complete URL that begins with https:// or http://");
  } else if (new URL(text).username !== "" || new URL(text).password !== "") {
    addIssue("contains a user name or password, which are never sent: remove them");
  }
}

/** `example.com.` is `example.com`: rules know a host by one name. */
function withoutDot(url: URL): URL {
  const plain = new URL(url);
  plain.hostname = plain.hostname.replace(/\.$/, "");
  return plain;
}

function formatHost(url: URL): string {
  return withoutDot(url).host;
}

async function convertToReadable(answer: WebAnswer, signal: AbortSignal): Promise<MarkdownPage> {
  const { isHtml, text } = pageText(answer);
  if (!isHtml) return { title: "", markdown: text.trim() };
  const page = await runWorker({
    source: PAGE_WORKER,
    data: { html: text, url: answer.url.href },
    signal,
    timeoutMs: CONVERT_MS,
    maxHeapMb: CONVERT_HEAP_MB,
    tooLong: `The page could not be read within ${CONVERT_MS / 1000} s.`,
  });
  return page as MarkdownPage;
}

function show({ url, status }: WebAnswer, page: MarkdownPage, offset: number): ToolResult {
  const { title, markdown } = page;
  const about = { url: url.href, ...(title !== "" && { title }) };
  if (status < 200 || status > 299) {
    const text = fence("webpage", markdown.slice(0, MAX_ERROR_CHARACTERS), about);
    return {
      ...errorResult(`${url.href} answered with status ${status}.\n${text}`),
      summary: `${url.host}: status ${status}`,
    };
  }
  if (markdown === "") {
    return errorResult(
      `${url.href} contains no text; it may need a browser that runs its scripts.`,
    );
  }
  if (offset >= markdown.length) {
    return errorResult(`offset: the page has ${markdown.length} characters.`);
  }
  const end = Math.min(markdown.length, offset + MAX_SHOWN_CHARACTERS);
  const isPart = offset > 0 || end < markdown.length;
  const rest = end < markdown.length ? ` Continue with \`offset\` ${end}.` : "";
  const note = isPart ? `\nCharacters ${offset} to ${end} of ${markdown.length}.${rest}` : "";
  return {
    text: fence("webpage", markdown.slice(offset, end), about) + note,
    summary: `${title === "" ? url.href : title}: ${markdown.length} characters`,
  };
}
