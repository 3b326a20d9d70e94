import { z } from "zod";
import { ROLE_HOLDERS, type RoleHolder, Roles } from "../../../access/index.ts";
import { MEMORY_SCOPES } from "../../../shared/caller.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { roleHolder, roleList, roleRecord } from "./responses.ts";
import { defineStoreRoute } from "./store-route.ts";

const shared = { tag: "access", scope: "admin" } as const;

const holderFields = {
  kind: z.enum(ROLE_HOLDERS).describe("Kind of holder; `everyone` means every user who logs in."),
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Name of the user or group; omit for everyone."),
  in: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("Databases; `@own` is each user's own. Default: all."),
};

export const listAccess = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/access",
  id: "list_access",
  summary: "List the roles of users and groups per database",
  output: roleList,
  body: z.strictObject({}),
  async serve({ store }) {
    return { roles: await new Roles(store.records).list() };
  },
});

export const grantAccess = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/grant",
  id: "grant_access",
  summary: "Grant a role, replacing the holder's existing one",
  output: roleRecord,
  body: z.strictObject({ ...holderFields, role: z.enum(MEMORY_SCOPES) }),
  serve: ({ store, input: { role, in: databases, ...holder } }) =>
    new Roles(store.records).grant(parseHolder(holder), role, databases),
});

export const revokeAccess = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/revoke",
  id: "revoke_access",
  summary: "Revoke a holder's roles, in some or all databases",
  output: roleHolder,
  body: z.strictObject(holderFields),
  async serve({ store, input: { in: databases, ...holderInput } }) {
    const holder = parseHolder(holderInput);
    await new Roles(store.records).revoke(holder, databases);
    return holder;
  },
});

interface HolderInput {
  readonly kind: RoleHolder["kind"];
  readonly name?: string | undefined;
}

function parseHolder({ kind, name = "" }: HolderInput): RoleHolder {
  if ((kind === "everyone") === (name === "")) return { kind, name };
  throw invalidInput(
    kind === "everyone" ? "name: must be omitted for everyone" : `name: must name the ${kind}`,
  );
}
