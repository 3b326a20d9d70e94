import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";

/** Placed before an `@` so that it is not a mention. */
const WORD_JOINER = "\u2060";

/**
 * Joins prompt blocks. Project files become mentions, which are read from disk; other text goes to
 * the end with mentions disabled.
 */
export function promptText(blocks: readonly ContentBlock[], cwd: string): string {
  const typed: string[] = [];
  const attached: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        typed.push(block.text);
        break;
      case "resource_link": {
        const lines = lineRange(block.uri);
        const named = mentionOf(block.uri, cwd) ?? `${block.name} (${block.uri})`;
        typed.push(lines === undefined ? named : `${named} (${lines})`);
        break;
      }
      case "resource": {
        const mention = mentionOf(block.resource.uri, cwd);
        // A selection may differ from the saved file.
        if (mention !== undefined && lineRange(block.resource.uri) === undefined)
          typed.push(mention);
        else if ("text" in block.resource) attached.push(attachment(block.resource));
        else attached.push(`[${block.resource.uri}: binary data, left out]`);
        break;
      }
      default:
        attached.push(`[${block.type}, left out]`);
    }
  }
  return [joined(typed), ...attached].filter((part) => part !== "").join("\n\n");
}

/** Editors split messages at mentions and drop the space. */
function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) => {
    const needsSpace = text !== "" && !/\s$/.test(text) && !/^[\s.,;:!?)]/.test(part);
    return `${text}${needsSpace ? " " : ""}${part}`;
  }, "");
}

function lineRange(uri: string): string | undefined {
  const [, first, last, end = last] =
    /(?:#L?|[?&](?:line|lines|start)=)(\d+)(?:[:,-]L?(\d+)|&(?:end|endLine)=(\d+))?/i.exec(uri) ??
    [];
  if (first === undefined) return undefined;
  return end === undefined || end === first ? `line ${first}` : `lines ${first} to ${end}`;
}

function mentionOf(uri: string, cwd: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  try {
    const path = relative(cwd, fileURLToPath(uri));
    if (path === "" || path.startsWith("..") || isAbsolute(path) || path.includes('"'))
      return undefined;
    return `@"${path}"`;
  } catch {
    return undefined;
  }
}

function attachment({ uri, text }: { readonly uri: string; readonly text: string }): string {
  const harmless = text.replace(/@/g, `${WORD_JOINER}@`).replace(/<(?=\s*\/?\s*attached\b)/gi, "‹");
  const lines = lineRange(uri);
  const range = lines === undefined ? "" : ` selection="${lines}"`;
  return `<attached uri="${uri.replace(/["<>\r\n]/g, " ")}"${range}>\n${harmless}\n</attached>`;
}
