import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BlobStore } from "../../../src/agent/checkpoints/blob-store.ts";
import { type TreeState, treeDifference } from "../../../src/agent/checkpoints/file-copy.ts";
import { WorkTree } from "../../../src/agent/checkpoints/work-tree.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";

const FILES = 30;
const NOTHING = { folders: new Map(), unseen: new Map() };

function makeProject(folders = 70) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-tree-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  for (let index = 0; index < folders; index += 1) {
    mkdirSync(join(root, `d${index}/sub`), { recursive: true });
    for (let file = 0; file < FILES; file += 1) {
      writeFileSync(join(root, `d${index}/${file % 2 ? "sub/" : ""}f${file}`), `${index} ${file}`);
    }
  }
  const store = new BlobStore(join(folder, "blobs"));
  const open = (indexFile = join(folder, "index.json")) => {
    const budget = { files: 50_000, bytes: 2 ** 29 };
    const tree = new WorkTree({ root, store, budget, indexFile });
    onTestFinished(() => tree.close());
    return tree;
  };
  return { folder, root, open };
}

const contentsOf = (state: TreeState | undefined) =>
  [...(state?.folders ?? [])]
    .flatMap(([folder, { files }]) => [folder, ...[...files].map(([p, f]) => [p, f.copy])])
    .map((entry) => JSON.stringify(entry))
    .sort();

it("finds the same changes in a large project as a full scan", {
  tags: ["long"],
  timeout: 60_000,
}, async () => {
  const { root, open, folder } = makeProject();
  const tree = open();
  for (let look = 0; look < 3; look += 1) await tree.look();
  const at = (path: string) => join(root, path);
  const sh = (text: string) => execFileSync("sh", ["-c", text], { cwd: root });
  const deeds: readonly (() => void)[] = [
    () => sh("echo same! > d1/f0; echo >> d2/sub/f1; rm d3/f2; echo new > d4/new"),
    () => sh("mv d5 moved; mkdir d5; echo other > d5/f0; echo in > moved/sub/f1"),
    () => sh("mv d6/sub elsewhere; echo in > elsewhere/f1; rm -r d7; ln -s d8 d7"),
    () => sh("mkdir -p deep/er/and; echo x > deep/er/and/x; chmod 700 d9/f0"),
    () => writeFileSync(at(".gitignore"), "d10/\n*.log\n"),
    () => sh("echo y > deep/er/and/x; echo no > d11/a.log; echo '!d10/' > .gitignore"),
    () => {
      // Same size and modification time, to defeat the stat check.
      const { atime, mtime } = statSync(at("d12/f0"));
      writeFileSync(at("d12/f0"), "99 9");
      utimesSync(at("d12/f0"), atime, mtime);
    },
    () => {
      renameSync(at("d13"), at("kept"));
      symlinkSync(at("kept"), at("d13"));
      writeFileSync(at("kept/f0"), "through the other name");
      chmodSync(at("kept/f2"), 0o600);
    },
    () => sh("for i in $(seq 14 60); do echo all > d$i/f0; echo all > d$i/sub/f1; done"),
    () => undefined,
  ];
  let before = await tree.look();
  for (const [index, deed] of deeds.entries()) {
    deed();
    const now = await tree.look();
    const fresh = await open(join(folder, `none${index}`)).look();
    expect(contentsOf(now)).toEqual(contentsOf(fresh));
    if (before === undefined || now === undefined) throw new Error("over the budget");
    const { files } = treeDifference(before, now);
    expect(files.length === 0).toBe(contentsOf(before).join() === contentsOf(now).join());
    before = now;
  }
});

it("finds changes through a hard link in an unscanned folder and through a memory map", async () => {
  const { root, open } = makeProject();
  mkdirSync(join(root, "node_modules"));
  linkSync(join(root, "d1/f0"), join(root, "node_modules/same"));
  const tree = open();
  await tree.look();
  await waitFixedTime(60, "cache expires");
  const before = await tree.look();
  writeFileSync(join(root, "node_modules/same"), "evil");
  const map = "f=open('d2/f0','r+b'); m=mmap.mmap(f.fileno(),0); m[0:1]=b'X'; m.flush()";
  execFileSync("python3", ["-c", `import mmap; ${map}`], { cwd: root });
  const { files } = treeDifference(before ?? NOTHING, (await tree.look()) ?? NOTHING);
  expect(files.map(({ path }) => path).sort()).toEqual(["d1/f0", "d2/f0", "node_modules"]);
}, 60_000);

it("keeps its index across a restart and finds the changes in between", async () => {
  const { root, open, folder } = makeProject();
  const tree = open();
  const old = await tree.look();
  // A copy made right after a write is not trusted; wait until the file is older.
  await waitFixedTime(60, "cache expires");
  await tree.look();
  tree.close();
  writeFileSync(join(root, "d1/f0"), "meanwhile");
  rmSync(join(folder, "blobs"), { recursive: true });
  const now = await open().look();
  const { files } = treeDifference(old ?? NOTHING, now ?? NOTHING);
  const changed = files.filter(
    ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
  );
  expect(changed.map(({ path }) => path)).toEqual(["d1/f0"]);
  expect(readdirSync(join(folder, "blobs"))).toHaveLength(1);
}, 60_000);

it("starts afresh from an index that is broken or of another version", async () => {
  const { open, folder } = makeProject(2);
  const indexFile = join(folder, "broken.json");
  for (const text of ["{", '{"version":2,"folders":[]}', '{"version":1,"folders":[[1]]}']) {
    writeFileSync(indexFile, text);
    const state = await open(indexFile).look();
    expect(state?.folders.size).toBe(5);
  }
}, 60_000);
