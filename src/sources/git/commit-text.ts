/** Programs that commit by themselves, by the names that they give. */
const BOTS =
  /\[bot\]|\b(?:dependabot|renovate|greenkeeper|github-actions|semantic-release|pre-commit-ci)\b/i;
/** Messages that say what any commit says. */
const SAYS_NOTHING =
  /^(?:wip|fixup!.*|squash!.*|amend!.*|\.+|-+|tmp|temp|bump(?: version)?(?: to)? v?[\d.]+|v?\d+\.\d+\.\d+|merge (?:branch|pull request|remote-tracking).*)$/i;

interface Said {
  readonly author: string;
  readonly email: string;
  readonly subject: string;
  readonly body: string;
}

/** Whether somebody said something with the commit that a later reader may want to know. */
export function isWorthReading({ author, email, subject, body }: Said): boolean {
  if (BOTS.test(author) || BOTS.test(email)) return false;
  return subject.trim() !== "" && (body.trim() !== "" || !SAYS_NOTHING.test(subject.trim()));
}

/** The commit that this one takes back, as `git revert` says it. */
export function reverted({ body }: Pick<Said, "body">): string | undefined {
  return /\bThis reverts commit ([0-9a-f]{40})\b/.exec(body)?.[1];
}

/** The subject of the commit that this one takes back, as forges say it, which name no commit. */
export function revertedSubject({ subject }: Pick<Said, "subject">): string | undefined {
  return /^Revert "(.+)"(?: \(#\d+\))?$/.exec(subject)?.[1];
}
