/** What a server and its processes for recalls send each other stays inside of the engine. */
export type RecallQuestion = unknown;
export type ForgetQuestion = unknown;
export type GreetQuestion = unknown;
export type ProcessQuestion = unknown;
export type RecallAnswer = unknown;
