/** Keys, in lower case, for which git runs no program. `*` stands for a subsection. */
const HARMLESS_SETTINGS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|sharedrepository|sparsecheckout|sparsecheckoutcone|longpaths|untrackedcache|splitindex|commitgraph|multipackindex)$/,
  /^extensions\.(objectformat|refstorage|partialclone|noop|preciousobjects|compatobjectformat)$/,
  /^remote\.\*\.(url|pushurl|fetch|push|mirror|prune|tagopt|promisor|partialclonefilter)$/,
  /^branch\.(\*\.)?(remote|merge|rebase|pushremote|description|autosetupmerge|autosetuprebase|vscode-merge-base)$/,
  /^submodule\.(\*\.)?(url|active|branch|recurse|ignore|fetchrecursesubmodules)$/,
  /^(user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote)|fetch\.prune|gc\.auto|rerere\.enabled|index\.[a-z]+|pack\.[a-z]+|advice\.[a-z]+|color\.([a-z]+\.)?[a-z]+|commit\.gpgsign|tag\.gpgsign|merge\.(ff|conflictstyle)|maintenance\.(auto|strategy)|feature\.[a-z]+)$/,
];

/** They run a program, but not when git only reads. */
const HARMLESS_WHEN_READING = [/^core\.hookspath$/, /^alias\.[a-z0-9-]+$/];

/** True if git runs no program and reads no other config. Unknown keys are harmful. */
export function isHarmlessGitConfig(text: string, use: "any" | "reading" = "any"): boolean {
  const harmless =
    use === "reading" ? [...HARMLESS_SETTINGS, ...HARMLESS_WHEN_READING] : HARMLESS_SETTINGS;
  let section = "";
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    // A continued value could hide a section.
    if (line.endsWith("\\")) return false;
    if (line.startsWith("[")) {
      const named = /^\[([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\]$/.exec(line);
      if (named?.[1] === undefined) return false;
      section = line.includes('"') ? `${named[1].toLowerCase()}.*` : named[1].toLowerCase();
      continue;
    }
    const assigned = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (assigned?.[1] === undefined || section === "") return false;
    const key = `${section}.${assigned[1].toLowerCase()}`;
    if (!harmless.some((pattern) => pattern.test(key))) return false;
    // Helpers before a double colon, such as `ext::`, are programs.
    if (/url$/.test(key) && /::/.test(assigned[2] ?? "")) return false;
  }
  return true;
}
