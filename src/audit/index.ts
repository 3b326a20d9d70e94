export { AUDIT_OUTCOMES, type ServerEntry, serverAudit, WAYS_IN } from "./audited-request.ts";
export { type AuditedCall, type OperationsByRoute, ofCall, ofRequest } from "./of-request.ts";
export { ServerAudit } from "./server-audit.ts";
export { serverAuditPlace } from "./server-audit-place.ts";
export { watchOf } from "./watch-of.ts";
