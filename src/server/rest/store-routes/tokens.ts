import { z } from "zod";
import { PeopleTokens } from "../../../access/index.ts";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { named, newToken, tokenList } from "./responses.ts";
import { defineStoreRoute } from "./store-route.ts";

const nothing = z.strictObject({});
const expiresField = z
  .string()
  .optional()
  .describe("Hours or days from now after which it ends: 12h, 30d.");
const quota = z.number().int().min(1).optional();
const shared = { tag: "tokens", scope: "admin" } as const;

export const listTokens = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/tokens",
  id: "list_tokens",
  summary: "List who has a token, and what it allows; no token is shown",
  output: tokenList,
  body: nothing,
  async serve({ store }) {
    return { tokens: await new PeopleTokens(store.tokens).list() };
  },
});

export const createToken = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/tokens",
  id: "create_token",
  summary: "Make a token for a person or a program; it is shown this once",
  output: newToken,
  body: z.strictObject({
    name: z.string().describe("Author of all that is written with it."),
    scope: z.enum(ACCESS_SCOPES).default("write"),
    databases: z.array(z.string()).min(1).optional().describe("The only databases that it opens."),
    expires: expiresField,
    requests_per_minute: quota.describe(
      "Most requests a minute, in place of what the server lets everybody have.",
    ),
    writes_per_day: quota.describe("Most writes a day, in place of the same."),
  }),
  serve: ({ store, input: { name, scope, ...limits } }) =>
    new PeopleTokens(store.tokens).create(name, scope, limits),
});

export const rotateToken = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/tokens/{id}/rotate",
  id: "rotate_token",
  summary: "Exchange a token for another of the same rights; it is shown this once",
  output: newToken,
  body: z.strictObject({ expires: expiresField }),
  serve: ({ store, name, input }) => new PeopleTokens(store.tokens).rotate(name, input),
});

export const revokeToken = defineStoreRoute({
  ...shared,
  method: "DELETE",
  path: "/tokens/{id}",
  id: "revoke_token",
  summary: "Revoke a token: servers refuse it within a second",
  output: named,
  body: nothing,
  async serve({ store, name }) {
    await new PeopleTokens(store.tokens).revoke(name);
    return { name };
  },
});
