/** Internal messages between a server and its recall processes. */
export type RecallQuestion = unknown;
export type ForgetQuestion = unknown;
export type GreetQuestion = unknown;
export type ProcessQuestion = unknown;
export type RecallAnswer = unknown;
