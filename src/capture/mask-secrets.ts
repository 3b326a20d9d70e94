/** Forms that keys and tokens have; what stands in the first group is kept. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|rk_live_|sk_live_|npm_|hf_|AIza|AKIA|ASIA)[\w-]{12,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{12,}/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/gi,
  /(\b[\w-]*(?:password|passwd|secret|token|api[_-]?key)["']?\s*[=:]\s*["']?)[^\s"',;]{6,}/gi,
];

/** The text with what looks like a secret replaced: nobody looks at what is captured beforehand. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce(
    (masked, form) =>
      masked.replace(
        form,
        (_match, kept: unknown) => `${typeof kept === "string" ? kept : ""}[secret]`,
      ),
    text,
  );
}
