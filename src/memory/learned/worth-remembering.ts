/**
 * What deserves to be remembered, in one wording for every model that is asked: the working agent over MCP
 * and hooks, and the model of `learn.with`.
 */
export const WORTH_REMEMBERING =
  "Remember what makes a new teammate's agent act better a week later and the code does not show: decisions and why, lasting rules and preferences, facts about the user's world, corrections of these, outcomes that took effort to find. Only what the user said or clearly confirmed; one sentence that stands alone, in the user's words and language. Not: requests for now, approvals, questions, bug reports, logs, paths, thanks, your own plans, what the code shows. Most turns have nothing.";
