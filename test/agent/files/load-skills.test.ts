import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadSkills } from "../../../src/agent/files/load-skills.ts";
import { createTestProject } from "../support/project.ts";

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.`;

it("loads skills from the project, then .claude, then the user; the first of a name wins", async () => {
  const project = await createTestProject();
  await project.write(".cairn/skills/release/SKILL.md", skill("release", "ours"));
  await project.write(".claude/skills/release/SKILL.md", skill("release", "theirs"));
  await project.write(".claude/skills/review/SKILL.md", skill("review", "look twice"));
  await project.write("user:skills/review/SKILL.md", skill("review", "mine"));
  await project.write("user:skills/notes/SKILL.md", skill("notes", "mine"));
  const { skills, warnings } = await loadSkills(project);
  expect(skills.map(({ name, description, source }) => [name, description, source])).toEqual([
    ["release", "ours", "project"],
    ["review", "look twice", "project"],
    ["notes", "mine", "user"],
  ]);
  expect(warnings).toEqual([]);
});

it("a project without skills stays without folders", async () => {
  const project = await createTestProject();
  expect(await loadSkills(project)).toEqual({ skills: [], warnings: [] });
  expect(await readdir(project.projectRoot)).toEqual([]);
  expect(await readdir(project.userConfigDir)).toEqual([]);
});

it("names a skill without a name after its folder", async () => {
  const project = await createTestProject();
  await project.write(".cairn/skills/release/SKILL.md", "---\ndescription: x\n---\n");
  expect((await loadSkills(project)).skills).toMatchObject([{ name: "release", description: "x" }]);
});

it("warns about each broken file with its path and loads the others", async () => {
  const project = await createTestProject();
  await project.write(".cairn/skills/a-yaml/SKILL.md", "---\nname: [a\ndescription: x\n---\n");
  await project.write(".cairn/skills/b-list/SKILL.md", "---\n- a\n---\n");
  await project.write(".cairn/skills/c-none/SKILL.md", "just text");
  await project.write(".cairn/skills/d-empty/SKILL.md", "---\nname: d\n---\n");
  await project.write(".cairn/skills/e-binary/SKILL.md", "---\0---");
  await mkdir(join(project.projectRoot, ".cairn/skills/f-folder/SKILL.md"), { recursive: true });
  await project.write("outside.md", skill("outside", "x"));
  await mkdir(join(project.projectRoot, ".cairn/skills/g-link"), { recursive: true });
  const secret = await project.write("user:secret.md", skill("secret", "x"));
  await symlink(secret, join(project.projectRoot, ".cairn/skills/g-link/SKILL.md"));
  await project.write(".cairn/skills/h-good/SKILL.md", skill("good", "x"));
  const { skills, warnings } = await loadSkills(project);
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(warnings).toEqual([
    expect.stringMatching(/a-yaml\/SKILL\.md was ignored: the frontmatter is not valid YAML/),
    expect.stringMatching(/b-list\/SKILL\.md was ignored: the frontmatter must be a list/),
    expect.stringMatching(/c-none\/SKILL\.md was ignored: it has no frontmatter/),
    expect.stringMatching(/d-empty\/SKILL\.md was ignored: its frontmatter has no description/),
    expect.stringMatching(/e-binary\/SKILL\.md was ignored: it is not a text file/),
    expect.stringMatching(/f-folder\/SKILL\.md was ignored: it is not a regular file/),
    expect.stringMatching(/g-link\/SKILL\.md was ignored: it is outside the project/),
  ]);
});
