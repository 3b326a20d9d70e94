export { type AgentClient, type AgentClientOptions, connectAgent } from "./connect-agent.ts";
export { answersOf, type Decision, type Question, wholeQuestion } from "./questions.ts";
