import { expect, it } from "vitest";
import { withAllowedTools } from "../../../src/agent/permission/allowed-tools.ts";
import { matchRules } from "../../../src/agent/permission/judge-call.ts";
import { agentSettings } from "../../../src/agent/settings.ts";

const settings = agentSettings.parse({
  permission: { rules: [{ tool: "shell", pattern: "rm *", action: "deny" }] },
});

const decide = (list: string, tool: string, subject: string) =>
  matchRules(
    { tool, subject, byMode: "ask", reason: "" },
    withAllowedTools(settings, list).permission.rules,
  ).action;

it("allows only listed tools", () => {
  const list = "edit, shell(npm test *), shell(git log, git diff)";
  expect(decide(list, "edit", "a.ts")).toBe("allow");
  expect(decide(list, "shell", "npm test --watch")).toBe("allow");
  expect(decide(list, "shell", "git log, git diff")).toBe("allow");
  expect(decide(list, "shell", "npm publish")).toBe("ask");
  expect(decide(list, "write", "a.ts")).toBe("ask");
});

it("keeps tools denied that the config denies", () => {
  expect(decide("*", "shell", "rm -r .")).toBe("deny");
  expect(decide("*", "shell", "ls")).toBe("allow");
});

it.each(["", " , ", "shell(", "a b"])("refuses the list %j", (list) => {
  expect(() => withAllowedTools(settings, list)).toThrow("--allowed-tools");
});
