import { createHash } from "node:crypto";
import type { AccessScope } from "../../../shared/caller.ts";
import { MEMORY_SCOPES } from "../../../shared/caller.ts";
import { shorten } from "../../../shared/text.ts";
import { OAuthError } from "./oauth-error.ts";

/** Scopes that a client may request; the roles of the consenting user limit them. */
export const OAUTH_SCOPES: readonly AccessScope[] = MEMORY_SCOPES.filter((it) => it !== "metrics");

export const DEFAULT_SCOPES: readonly AccessScope[] = ["read", "write"];

const IGNORED_SCOPES: readonly string[] = ["offline_access", "openid", "profile", "email"];

/**
 * Returns the highest requested scope: `write` if none is named, `read` if all are ignored. Throws
 * OAuthError for an unknown scope.
 */
export function requestedScope(text: string | undefined): AccessScope {
  const requested = (text ?? "").split(/\s+/).filter((scope) => scope !== "");
  const unknown = requested.find(
    (scope) => !IGNORED_SCOPES.includes(scope) && !OAUTH_SCOPES.some((known) => known === scope),
  );
  if (unknown !== undefined) {
    throw new OAuthError(
      "invalid_scope",
      `scope: unknown scope "${shorten(unknown, 40)}"; use ${OAUTH_SCOPES.join(", ")}`,
    );
  }
  const known = OAUTH_SCOPES.filter((scope) => requested.includes(scope));
  return known.at(-1) ?? (requested.length === 0 ? "write" : "read");
}

export function grantedScope(scope: AccessScope): string {
  return OAUTH_SCOPES.slice(0, OAUTH_SCOPES.indexOf(scope) + 1).join(" ");
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 3rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 1.25rem 0; }
dt { opacity: .75; } dd { margin: 0; }
.note { border-left: 3px solid #b45309; padding: .1rem 0 .1rem .8rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button, input { font: inherit; padding: .55rem 1.1rem; border-radius: .4rem; border: 1px solid #6b7280; }
button.yes { background: #1d4ed8; border-color: #1d4ed8; color: #fff; }
input { text-transform: uppercase; letter-spacing: .1em; }
:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const SCOPE_DESCRIPTIONS: Readonly<Record<AccessScope, string>> = {
  approve: "answer an agent's questions and stop its runs",
  metrics: "read the server's metrics",
  read: "read what you can read",
  propose: "read what you can read, and submit proposals for review",
  write: "read and write what you can, as you",
  decide: "read and write what you can, and undo changes by others where you can",
  admin: "do everything that you can, including purging data and creating tokens",
};

export interface ConsentPage {
  readonly client: string;
  readonly isUnknown: boolean;
  readonly redirectUri: string | undefined;
  readonly userCode: string | undefined;
  readonly person: string;
  readonly scope: AccessScope;
  readonly resource: string;
  readonly consent: string;
}

export function consentPage(page: ConsentPage): Response {
  const where = page.redirectUri === undefined ? undefined : describeTarget(page.redirectUri);
  const rows = [
    ["You are", page.person],
    ["It may", SCOPE_DESCRIPTIONS[page.scope]],
    ["Scopes", grantedScope(page.scope)],
    ["On", page.resource],
    ...(where === undefined ? [] : [["You continue to", where]]),
    ...(page.userCode === undefined ? [] : [["Code", page.userCode]]),
  ] as const;
  const list = rows
    .map(([term, text]) => `<dt>${escapeHtml(term ?? "")}</dt><dd>${escapeHtml(text ?? "")}</dd>`)
    .join("");
  const note = page.isUnknown
    ? `<p class="note">This name is not verified. Continue only if you started this login yourself.</p>`
    : `<p class="note">Continue only if you started this login yourself.</p>`;
  return renderPage(
    `Authorize ${page.client}?`,
    `<dl>${list}</dl>${note}<form method="post" action="/oauth/consent"><input type="hidden" name="consent" value="${escapeHtml(page.consent)}"><button class="yes" name="answer" value="yes">Authorize</button><button name="answer" value="no">Cancel</button></form>`,
    { formTargets: page.redirectUri === undefined ? [] : [describeSource(page.redirectUri)] },
  );
}

export function devicePage(userCode: string, isUnknown = false): Response {
  const note = isUnknown
    ? `<p class="note">The code has eight letters, such as BCDF-GHJK.</p>`
    : "";
  return renderPage(
    "Enter the device code",
    `<p>Enter the code shown by <code>cairn login --device</code>.</p>${note}<form method="post" action="/oauth/device"><input name="user_code" value="${escapeHtml(userCode)}" autocomplete="off" autofocus aria-label="Code" required><button class="yes">Continue</button></form>`,
    { formTargets: ["https:", "http://127.0.0.1:*", "http://localhost:*"] },
  );
}

export function messagePage(title: string, sentence: string, status = 200): Response {
  return renderPage(title, `<p>${escapeHtml(sentence)}</p>`, { status });
}

function renderPage(
  title: string,
  body: string,
  { status = 200, formTargets = [] }: { status?: number; formTargets?: readonly string[] } = {},
): Response {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers also apply form-action to redirects.
    `form-action 'self' ${formTargets.join(" ")}`.trim(),
  ].join("; ");
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · cairn</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    },
  });
}

function describeTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === "https:") return host;
  return protocol === "http:"
    ? `a program on this machine (${host})`
    : `the program of ${protocol}`;
}

function describeSource(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? origin : protocol;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
