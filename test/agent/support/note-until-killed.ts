import { AuditLog } from "../../../src/agent/audit/audit-log.ts";
import type { ChainPlace } from "../../../src/shared/chained-log/chain-place.ts";
import { systemClock } from "../../../src/shared/clock.ts";

const [place = "{}", name = ""] = process.argv.slice(2);
const log = new AuditLog(JSON.parse(place) as ChainPlace, systemClock);
for (let at = 0; at < 10_000; at += 1) {
  await log.note({
    ...{ threadId: name, tool: "shell", subject: `command ${at} `.repeat(50), reason: "" },
    ...{ outcome: "allowed", network: false, keys: false },
  });
  process.stdout.write(".\n");
}
