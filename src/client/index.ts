export type { AgentLine, LineAnswer } from "./agent-lines.ts";
export { type AgentClient, type AgentClientOptions, connectAgent } from "./connect-agent.ts";
export { EventOrder } from "./event-order.ts";
export { LiveSocket, type LiveSocketOptions } from "./live-socket.ts";
export { answersOf, type Decision, type Question, wholeQuestion } from "./questions.ts";
