export type { AcpAgent, OpenAcpAgent } from "./acp-sessions.ts";
export { type AcpStdioOptions, serveAcpStdio } from "./serve-acp-stdio.ts";
