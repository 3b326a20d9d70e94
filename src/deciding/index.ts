export { digestText, webhookBody } from "./digest-text.ts";
export {
  ruleFor,
  type Waiting,
  waitingProposals,
  withContradictions,
} from "./waiting-proposals.ts";
