import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  historySource,
  loadMark,
  readHistory,
  type SourceBatch,
  storeSource,
} from "../../../src/ingest/sources/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

function repository() {
  const folder = mkdtempSync(join(tmpdir(), "cairn-history-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  let count = 0;
  const commit = (message: string, ...further: string[]) => {
    count += 1;
    writeFileSync(join(folder, "retry.py"), `# ${count}\n`);
    git("add", ".");
    git(...further, "commit", "--date", `2026-03-01T09:00:${10 + count}Z`, "-qm", message);
    return git("rev-parse", "HEAD");
  };
  return { folder, git, commit };
}

async function read(folder: string, marker?: string) {
  const batches: SourceBatch[] = [];
  for await (const batch of readHistory({ folder }, marker)) batches.push(batch);
  const last = batches.at(-1);
  const passages = batches.flatMap((batch) => [...batch.passages]);
  return { passages, mark: last?.mark, gone: last?.gone };
}

describe("a git history", () => {
  it("is read commit by commit: message, body, files, author, branch, tags", async () => {
    const { folder, git, commit } = repository();
    const hash = commit("Cap retries at seven\n\nThe eighth trips the rate limit.");
    git("tag", "v1.2");
    const { passages, mark } = await read(folder);
    expect(mark).toBe(hash);
    expect(passages).toMatchObject([
      { key: hash, role: "commit", by: "Ada", files: ["retry.py"], branch: "main" },
    ]);
    expect(passages[0]?.text).toBe(
      "Cap retries at seven\n\nThe eighth trips the rate limit.\n\nTagged v1.2.",
    );
  });

  it("shortens a subject beyond the limit of a stored text", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    writeFileSync(join(folder, ".git", "long"), "long ".repeat(300_000));
    git("commit", "-q", "--allow-empty", "-F", ".git/long");
    const { passages } = await read(folder);
    expect(passages.map(({ text }) => text.length)).toEqual([23, 4_000]);
  });

  it("is read when a commit has a time that a timestamp cannot express", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const written = git("cat-file", "commit", "HEAD");
    for (const [time, subject] of [
      ["253402300800 +1400", "In the year 10000"],
      ["1 +9999", "In an impossible zone"],
      ["99999999999999999999 +0000", "At the end of time"],
    ]) {
      const input = written
        .replace(/^(author|committer) (.*>) .*$/gm, `$1 $2 ${time}`)
        .replace("Begin with the importer", `${subject}\n`);
      const hash = execFileSync(
        "git",
        ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        {
          cwd: folder,
          input: input.replace(
            /^tree .*$/m,
            (tree) => `${tree}\nparent ${git("rev-parse", "HEAD")}`,
          ),
          encoding: "utf8",
        },
      ).trim();
      git("update-ref", "HEAD", hash);
    }
    const { passages } = await read(folder);
    expect(passages.map(({ text, occurred_at: at }) => [text, at])).toEqual([
      ["Begin with the importer", expect.stringMatching(/^20/)],
      ["In the year 10000", "1970-01-01T00:00:00.000Z"],
      ["In an impossible zone", "1970-01-01T00:00:00.000Z"],
      ["At the end of time", "1970-01-01T00:00:00.000Z"],
    ]);
  });

  it.each(["clone.git", ".bare"])("of the bare repository %s is read", async (name) => {
    const { folder, git, commit } = repository();
    const hash = commit("Begin with the importer");
    const parent = mkdtempSync(join(tmpdir(), "cairn-bare-"));
    git("clone", "-q", "--bare", folder, join(parent, name));
    writeFileSync(join(parent, ".git"), `gitdir: ./${name}\n`);
    expect((await read(parent)).passages).toMatchObject([{ key: hash }]);
    const path = name === ".bare" ? parent : join(parent, name);
    expect(await historySource(join(parent, name))).toMatchObject({ place: realpathSync(path) });
  });

  it("resumes at its cursor, also after a rewrite", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const { mark } = await read(folder);
    const second = commit("Read the importer's files in order");
    expect((await read(folder, mark)).passages.map(({ key }) => key)).toEqual([second]);
    expect((await read(folder, second)).passages).toEqual([]);
    git("commit", "-q", "--amend", "-m", "Read files sorted by name");
    expect(await read(folder, second)).toMatchObject({
      passages: [{ text: "Read files sorted by name" }],
      gone: [second],
    });
    // If git no longer has the cursor's commit, the whole history is read again and known commits
    // are skipped.
    expect(await read(folder, "0".repeat(40))).toMatchObject({
      passages: [{}, {}],
      gone: undefined,
    });
  });

  it("contains amended and rebased commits once", async () => {
    await using t = createTestMemory();
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const name = await historySource(folder);
    const kept = async () => {
      for await (const batch of readHistory({ folder }, await loadMark(t.memory, name))) {
        await storeSource(t.memory, batch);
      }
      const { passages } = await t.call("get_source", { source_id: "source:1" });
      return passages.map(({ text }) => text).sort();
    };
    expect(await kept()).toEqual(["Begin with the importer"]);
    commit("Cap retries at seven");
    commit("Sort by name");
    expect(await kept()).toEqual([
      "Begin with the importer",
      "Cap retries at seven",
      "Sort by name",
    ]);
    const before = git("rev-parse", "HEAD");
    git("commit", "-q", "--amend", "-m", "Sort files by name");
    const amended = ["Begin with the importer", "Cap retries at seven", "Sort files by name"];
    expect(await kept()).toEqual(amended);
    // After a rebase, the commits have new ids but the same texts.
    git("checkout", "-q", "-b", "topic");
    git("checkout", "-q", "main");
    git("reset", "-q", "--hard", "HEAD~2");
    writeFileSync(join(folder, "other.py"), "# other");
    git("add", ".");
    git("commit", "--date", "2026-03-02T09:00:00Z", "-qm", "Come in between");
    git("checkout", "-q", "topic");
    git("rebase", "-q", "main");
    expect(await kept()).toEqual([...amended.slice(0, 2), "Come in between", ...amended.slice(2)]);
    git("reset", "-q", "--hard", before);
    expect(await kept()).toEqual([
      "Begin with the importer",
      "Cap retries at seven",
      "Come in between",
      "Sort by name",
    ]);
    for (let change = 0; change < 3; change += 1) await t.call("undo", {});
    expect((await t.call("get_source", { source_id: "source:1" })).passages).toMatchObject([
      { text: "Begin with the importer" },
      { text: "Cap retries at seven" },
      { text: "Sort by name" },
    ]);
  });

  it("runs no program of the repository, for signatures or partial clones", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the retrier");
    git("mv", "retry.py", "again.py");
    writeFileSync(join(folder, "again.py"), "# changed on the way\n".repeat(9));
    git("add", "-A");
    git("commit", "-qm", "Call it again");
    const head = git("cat-file", "commit", "HEAD");
    const signature =
      "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----";
    writeFileSync(join(folder, "signed"), `${head.replace("\n\n", `\n${signature}\n\n`)}\n`);
    git("reset", "-q", "--soft", git("hash-object", "-t", "commit", "-w", "signed"));
    const evil = join(folder, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\ntouch ${folder}/ran\nexit 1\n`, { mode: 0o755 });
    const blob = git("rev-parse", "HEAD:again.py");
    rmSync(join(folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    for (const [key, value] of [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", "ssh://a/b"],
      ["core.sshCommand", evil],
      ["core.fsmonitor", evil],
      ["gpg.program", evil],
      ["log.showSignature", "true"],
    ] as const) {
      git("config", key, value);
    }
    await read(folder);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("reports which commit is reverted", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const wrong = commit("Retry for ever\n\nNobody loses anything.");
    git("revert", "--no-edit", wrong);
    const { passages } = await read(folder);
    expect(passages.at(-1)).toMatchObject({ reverts: wrong });
  });

  it("detects reverts by subject", async () => {
    const { folder, commit } = repository();
    const wrong = commit("Retry for ever");
    commit('Revert "Retry for ever" (#12)\n\nReverts ada/shop#11');
    const { passages } = await read(folder);
    expect(passages.at(-1)).toMatchObject({ reverts: wrong });
  });

  it("follows renames, but not another file with the old name", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the retrier");
    git("mv", "retry.py", "again.py");
    git("commit", "-qm", "Call it again");
    git("mv", "again.py", "attempts.py");
    git("commit", "-qm", "Call it attempts");
    commit("Begin with another retrier");
    const { passages } = await read(folder);
    expect(passages.map(({ files }) => files)).toEqual([
      ["attempts.py", "retry.py"],
      ["attempts.py", "again.py", "retry.py"],
      ["attempts.py", "again.py"],
      ["retry.py"],
    ]);
  });

  it("is limited when read automatically and complete on request", async () => {
    const { folder, commit } = repository();
    for (const word of ["first", "second", "third"]) commit(`Write the ${word} chapter`);
    const part: SourceBatch[] = [];
    for await (const batch of readHistory({ folder, maxCommits: 2 }, undefined)) part.push(batch);
    expect(part.flatMap(({ passages }) => passages.map(({ text }) => text))).toEqual([
      "Write the second chapter",
      "Write the third chapter",
    ]);
    const { mark } = part.at(-1) ?? {};
    const further: SourceBatch[] = [];
    for await (const batch of readHistory({ folder, maxCommits: 2 }, mark)) further.push(batch);
    expect(further).toEqual([]);
    expect((await read(folder, mark)).passages).toHaveLength(3);
  });

  it("excludes merges, bots and uninformative messages", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    commit("wip");
    commit("Bump lodash from 1 to 2", "-c", "user.name=dependabot[bot]");
    git("checkout", "-q", "-b", "side");
    commit("Sort by name on the side");
    git("checkout", "-q", "main");
    git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side");
    const { passages } = await read(folder);
    expect(passages.map(({ text }) => text)).toEqual([
      "Begin with the importer",
      "Sort by name on the side",
    ]);
  });

  it("is the same source in another clone", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const clone = join(mkdtempSync(join(tmpdir(), "cairn-clone-")), "elsewhere");
    git("clone", "-q", folder, clone);
    expect((await historySource(clone)).key).toBe((await historySource(folder)).key);
  });

  it("that is missing is an error naming the folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-nothing-"));
    await expect(read(folder)).rejects.toThrow(`there is no git history in ${folder}`);
  });

  it("runs no program of the repository's config", async () => {
    const { folder, git, commit } = repository();
    commit("Begin with the importer");
    const marker = join(folder, "ran");
    writeFileSync(join(folder, "evil.sh"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    for (const name of ["core.fsmonitor", "core.pager", "diff.external", "core.hooksPath"]) {
      git("config", name, join(folder, "evil.sh"));
    }
    await read(folder);
    const { existsSync } = await import("node:fs");
    expect(existsSync(marker)).toBe(false);
  });
});
