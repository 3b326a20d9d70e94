import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the path if the paste consists only of an image file, as when dropped into a terminal.
 */
export function pastedImage(text: string): string | undefined {
  const line = text.trim();
  if (line.includes("\n") || !/\.(png|jpe?g|gif|webp)['"]?$/i.test(line)) return undefined;
  if (line.startsWith("file://")) return fromUrl(line);
  const quoted = /^'([^']+)'$|^"([^"]+)"$/.exec(line);
  const path = quoted?.[1] ?? quoted?.[2] ?? line.replace(/\\(.)/g, "$1");
  const isEscaped = quoted !== null || !/(?<!\\)\s/.test(line);
  if (path.startsWith("~/")) return isEscaped ? join(homedir(), path.slice(2)) : undefined;
  return path.startsWith("/") && isEscaped ? path : undefined;
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
