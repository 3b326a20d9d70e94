import { Marked } from "marked";
import { stripControl } from "../../shared/text.ts";
import {
  type ExportedSession,
  formatTitle,
  type SessionEntry,
  sessionEntries,
} from "./session-entries.ts";

export function sessionAsHtml(session: ExportedSession): string {
  const { createdAt, updatedAt, threadId } = session;
  const title = escapeHtml(formatTitle(session));
  const entries = sessionEntries(session.messages).map(entryAsHtml).join("\n");
  return stripControl(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="about">Session ${escapeHtml(threadId)}, ${escapeHtml(createdAt)} to ${escapeHtml(updatedAt)}.</p>
${entries}
</body>
</html>
`);
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
.about { opacity: .7; }
section { margin: 1.5rem 0; }
.user { border-left: 3px solid #2a9d8f; padding-left: 1rem; white-space: pre-wrap; }
pre { overflow-x: auto; padding: .75rem; background: color-mix(in srgb, currentColor 8%, transparent); }
code { font: .9em ui-monospace, monospace; }
details { margin: .5rem 0; }
.failed summary { color: #c0392b; }
table { border-collapse: collapse; } td, th { border: 1px solid; padding: .2rem .5rem; }
`;

function entryAsHtml(entry: SessionEntry): string {
  if (entry.kind === "user") return `<section class="user">${escapeHtml(entry.text)}</section>`;
  if (entry.kind === "assistant") return `<section>${asHtml(entry.text)}</section>`;
  const output = entry.output === "" ? "" : `<pre>${escapeHtml(entry.output)}</pre>`;
  const mark = entry.isError ? ' class="failed"' : "";
  return `<details${mark}><summary><code>${escapeHtml(entry.name)}</code></summary><pre>${escapeHtml(entry.input)}</pre>${output}</details>`;
}

/** Removes HTML and images, and links other than to the web. */
function asHtml(markdown: string): string {
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text, href }) => escapeHtml(`${text} (${href})`),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return /^(https?:|mailto:|#)/i.test(href)
          ? `<a href="${escapeHtml(href)}">${text}</a>`
          : text;
      },
    },
  });
  return String(marked.parse(markdown));
}

function escapeHtml(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
