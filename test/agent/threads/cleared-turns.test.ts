import { expect, it } from "vitest";
import { listUserTexts, startConversation } from "../support/conversation.ts";
import { openTestMemory } from "../support/memory.ts";
import { createTestProject } from "../support/project.ts";

const SAID = "The invoice archive of the company moves to Rotterdam every quarter.";
const OTHER = "rename the variable foo of the company module to bar every time";

it("hides cleared turns from their thread, but finds them from another", async () => {
  const project = await createTestProject();
  const memory = openTestMemory(project);
  const start = () => startConversation({ project, memory, keepsSessions: true });
  const talk = await start();
  for (const message of [SAID, "/clear", OTHER]) {
    await talk.send(message);
    await talk.status(message.startsWith("/") ? "success" : "idle");
  }
  expect(listUserTexts(talk.model.requests[1])).toEqual([OTHER]);
  const other = await start();
  await other.send("where does the invoice archive of the company move?");
  await other.status("idle");
  expect(listUserTexts(other.model.requests[0]).join()).toContain(SAID);
});
