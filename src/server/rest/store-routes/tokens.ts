import { z } from "zod";
import { PeopleTokens } from "../../../access/index.ts";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { named, newToken, tokenList } from "./responses.ts";
import { defineStoreRoute } from "./store-route.ts";

const emptyInput = z.strictObject({});
const expiresField = z.string().optional().describe("Lifetime in hours or days: 12h, 30d.");
const quota = z.number().int().min(1).optional();
const shared = { tag: "tokens", scope: "admin" } as const;

export const listTokens = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/tokens",
  id: "list_tokens",
  summary: "List tokens with their permissions, without their text",
  output: tokenList,
  body: emptyInput,
  async serve({ store }) {
    return { tokens: await new PeopleTokens(store.tokens).list() };
  },
});

export const createToken = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/tokens",
  id: "create_token",
  summary: "Create a token; its text is returned only once",
  output: newToken,
  body: z.strictObject({
    name: z.string().describe("Author of changes made with the token."),
    scope: z.enum(ACCESS_SCOPES).default("write"),
    databases: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("Databases that the token can access; default: all."),
    expires: expiresField,
    requests_per_minute: quota.describe(
      "Maximum requests per minute; overrides the server's limit.",
    ),
  }),
  serve: ({ store, input: { name, scope, ...limits } }) =>
    new PeopleTokens(store.tokens).create(name, scope, limits),
});

export const rotateToken = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/tokens/{id}/rotate",
  id: "rotate_token",
  summary: "Rotate a token; its new text is returned only once",
  output: newToken,
  body: z.strictObject({ expires: expiresField }),
  serve: ({ store, name, input }) => new PeopleTokens(store.tokens).rotate(name, input),
});

export const revokeToken = defineStoreRoute({
  ...shared,
  method: "DELETE",
  path: "/tokens/{id}",
  id: "revoke_token",
  summary: "Revoke a token; servers reject it within a second",
  output: named,
  body: emptyInput,
  async serve({ store, name }) {
    await new PeopleTokens(store.tokens).revoke(name);
    return { name };
  },
});
