import type { AnsweredRequest, OnUpgradeAnswer } from "../server/http/index.ts";
import type { AuditedRequest } from "./audited-request.ts";
import { ofRequestAt, ofUpgrade } from "./of-request.ts";
import type { ServerAudit } from "./server-audit.ts";

/** Notes whatever is asked at a door of its own. */
export function watchOf(audit: ServerAudit, from: AuditedRequest["from"]) {
  const onUpgradeAnswer: OnUpgradeAnswer = (answered) => audit.note(ofUpgrade(from, answered));
  return {
    onArrival: () => audit.requireOrder(),
    onAnswer: (answered: AnsweredRequest) => audit.note(ofRequestAt(from, answered)),
    onUpgradeAnswer,
  };
}
