import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { startConversation, systemOf } from "../support/conversation.ts";
import { createTestProject } from "../support/project.ts";

it("a skill that is a link into another folder of the user is read too", async () => {
  const project = await createTestProject();
  const real = await project.write(
    "../dotfiles/release/SKILL.md",
    "---\nname: release\ndescription: how we release\n---\nTAG FIRST",
  );
  await mkdir(join(project.userConfigDir, "skills"));
  await symlink(dirname(real), join(project.userConfigDir, "skills/release"));
  const path = join(project.userConfigDir, "skills/release/SKILL.md");
  const read = { toolCalls: [{ name: "read", args: { path } }] };
  const talk = await startConversation({ project, answers: [read] });
  await talk.send("release it");
  await talk.status("idle");
  expect(JSON.stringify(talk.model.requests[1]?.body.messages.at(-1))).toContain("TAG FIRST");
});

it("a user's skill is named in the prompt and read on demand, its neighbours are not", async () => {
  const project = await createTestProject();
  const path = await project.write(
    "user:skills/release/SKILL.md",
    "---\nname: release\ndescription: how we release\n---\nTAG FIRST",
  );
  const config = await project.write("user:config.json", '{"apiKey":"KEY"}');
  const read = (file: string) => ({ toolCalls: [{ name: "read", args: { path: file } }] });
  const talk = await startConversation({ project, answers: [read(path), read(config)] });
  await talk.send("release it");
  await talk.status("idle");
  const [first, second, third] = talk.model.requests;
  expect(systemOf(first)).toContain(`release: how we release (${path})`);
  expect(systemOf(first)).not.toContain("TAG FIRST");
  expect(JSON.stringify(second?.body.messages.at(-1))).toContain("TAG FIRST");
  expect(JSON.stringify(third?.body.messages.at(-1))).not.toContain("KEY");
});
