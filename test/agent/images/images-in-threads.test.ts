import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, type HarnessOptions, startHarness } from "../support/thread-harness.ts";

/** The PNG signature alone is enough to be detected as an image. */
const PNG = Buffer.from("iVBORw0KGgo=", "base64");
const URL_OF_PNG = "data:image/png;base64,iVBORw0KGgo=";
const image = { type: "image_url", image_url: { url: URL_OF_PNG } };

let harness: Harness;
afterEach(() => harness.close());

async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ ...options, llm: { vision: true, ...options.llm } });
  await writeFile(join(harness.projectRoot, "shot.png"), PNG);
  return harness;
}

const lastMessages = () => harness.model.requests.at(-1)?.body.messages ?? [];
const notes = () =>
  harness.events.flatMap((event) =>
    event.type === "status" && event.phase === "info" ? [event.message] : [],
  );

it("shows the model a mentioned image, stores it, and shows it again after a restart", async () => {
  await start();
  await harness.say("what is on @shot.png?");
  const pattern = /^what is on @shot.png\?[\s\S]*<image path="shot.png">/;
  const content = [{ type: "text", text: expect.stringMatching(pattern) }, image];
  expect(lastMessages()[1]).toMatchObject({ role: "user", content });
  harness = await harness.restart();
  await harness.say("and now?");
  expect(lastMessages()[1]).toMatchObject({ role: "user", content });
  expect(lastMessages().at(-1)).toMatchObject({ role: "user", content: "and now?" });
  const [first] = (await harness.host.history?.("t")) ?? [];
  expect(first).toEqual({ role: "user", text: "what is on @shot.png?" });
});

it("shows a pasted or sent image from the store", async () => {
  await start();
  const mention = await harness.host.storeImage(PNG);
  expect(mention).toMatch(/^@image:[0-9a-f]{16}\.png$/);
  await harness.say(`look: ${mention}, please`);
  expect(lastMessages()[1]?.content).toMatchObject([{ type: "text" }, image]);
  expect(await readdir(join(harness.dataDir, "images"))).toHaveLength(1);
  await expect(harness.host.storeImage(Buffer.from("%PDF-1.7"))).rejects.toThrow(
    "The image is not a PNG, JPEG, GIF or WebP image",
  );
  await harness.say("@image:../../config.json @image:0000000000000000.png");
  expect(typeof lastMessages().at(-1)?.content).toBe("string");
});

it("shows an image that a tool reads, after the results", async () => {
  const call = { toolCalls: [{ name: "read", args: { path: "shot.png" } }] };
  await start({ answers: [call, { text: "ok" }] });
  await harness.say("read it");
  expect(lastMessages().slice(-2)).toMatchObject([
    { role: "tool", content: "shot.png: image/png, 8 bytes\n[image below]" },
    { role: "user", content: [{ type: "text" }, image] },
  ]);
});

it("shows an image from an MCP tool", async () => {
  const server = join(import.meta.dirname, "..", "support", "small-mcp-server.mjs");
  await start({
    settings: agentSettings.parse({
      sandbox: false,
      permission: { rules: [{ tool: "mcp__small__*", action: "allow" }] },
      mcpServers: { small: { command: process.execPath, args: [server] } },
    }),
    answers: [{ toolCalls: [{ name: "mcp__small__draw", args: {} }] }, { text: "ok" }],
  });
  await harness.say("draw");
  expect(lastMessages().at(-1)).toMatchObject({ role: "user", content: [{ type: "text" }, image] });
});

it("reports that a model cannot see images, and shows them to one that can", async () => {
  await start({ llm: { vision: undefined } });
  await harness.say("what is on @shot.png?");
  expect(JSON.stringify(lastMessages())).toContain(
    "[image omitted: this model does not accept images]",
  );
  expect(notes().join()).toContain(
    "is not known to accept images, so they were replaced by a note",
  );
  await harness.host.send("t", "/model gpt-4o");
  await harness.waitForPhase("success");
  await harness.say("and you?");
  expect(lastMessages()[1]?.content).toMatchObject([{ type: "text" }, image]);
});

it("rejects files that are no images, too large or outside the project, with a cure", async () => {
  await start();
  const { projectRoot } = harness;
  await writeFile(join(projectRoot, "fake.png"), "words");
  await writeFile(join(projectRoot, "big.png"), Buffer.concat([PNG, Buffer.alloc(4_000_000)]));
  await mkdir(join(projectRoot, "folder.png"));
  await writeFile(join(projectRoot, "..", "outside.png"), PNG);
  await symlink(join(projectRoot, "..", "outside.png"), join(projectRoot, "link.png"));
  await harness.say("@fake.png @big.png @folder.png @link.png @none.png @../outside.png");
  expect(notes()).toEqual([
    "@fake.png was not included: it is not a PNG, JPEG, GIF or WebP image. Convert it to one of these.",
    expect.stringContaining(
      "@big.png was not included: it has 4000008 bytes, more than the 3750000",
    ),
    "@folder.png was not included: it is not a regular file.",
    "@link.png was not included: it is outside the project.",
    "@../outside.png was not included: it is outside the project.",
  ]);
  expect(notes()[1]).toContain("magick");
  expect(typeof lastMessages()[1]?.content).toBe("string");
});

it("excludes image data from token counts and exports", async () => {
  await start({ llm: { contextWindow: 12_000 } });
  const large = Buffer.concat([PNG, Buffer.alloc(200_000, 1)]);
  await writeFile(join(harness.projectRoot, "shot.png"), large);
  await harness.say("what is on @shot.png?");
  await harness.say("and now?");
  const phases = harness.events.map((event) => event.type === "status" && event.phase);
  expect(phases).not.toContain("handover");
  await harness.host.send("t", "/export out.md");
  await harness.waitForPhase("success");
  expect((await readFile(join(harness.projectRoot, "out.md"), "utf8")).length).toBeLessThan(2_000);
});
