/** Names of programs that make commits by themselves. */
const BOTS =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|github-actions|semantic-release|pre-commit-ci)\b/i;
/** Commit messages without information. */
const SAYS_NOTHING =
  /^(?:wip|fixup!.*|squash!.*|amend!.*|\.+|-+|tmp|temp|bump(?: version)?(?: to)? v?[\d.]+|v?\d+\.\d+\.\d+|merge (?:branch|pull request|remote-tracking).*)$/i;

interface Said {
  readonly author: string;
  readonly email: string;
  readonly subject: string;
  readonly body: string;
}

/** Whether the commit's message says something that a later reader may need. */
export function isWorthReading({ author, email, subject, body }: Said): boolean {
  if (BOTS.test(author) || BOTS.test(email)) return false;
  return subject.trim() !== "" && (body.trim() !== "" || !SAYS_NOTHING.test(subject.trim()));
}

/** The commit that this one takes back, in the wording of `git revert`. */
export function reverted({ body }: Pick<Said, "body">): string | undefined {
  return /\bThis reverts commit ([0-9a-f]{40})\b/.exec(body)?.[1];
}

/** The subject of the commit that this one takes back, in the wording of forges, which name no commit. */
export function revertedSubject({ subject }: Pick<Said, "subject">): string | undefined {
  return /^Revert "(.+)"(?: \(#\d+\))?$/.exec(subject)?.[1];
}
