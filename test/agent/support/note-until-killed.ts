import type { AuditPlace } from "../../../src/agent/audit/audit-files.ts";
import { AuditLog } from "../../../src/agent/audit/audit-log.ts";
import { systemClock } from "../../../src/kernel/clock.ts";

const [place = "{}", name = ""] = process.argv.slice(2);
const log = new AuditLog(JSON.parse(place) as AuditPlace, systemClock);
for (let at = 0; at < 10_000; at += 1) {
  await log.note({
    ...{ threadId: name, tool: "shell", subject: `command ${at} `.repeat(50), reason: "" },
    ...{ outcome: "allowed", network: false, keys: false },
  });
  process.stdout.write(".\n");
}
