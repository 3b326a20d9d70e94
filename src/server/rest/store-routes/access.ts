import { z } from "zod";
import { LoggedIn, People, Sessions, Trusts } from "../../../access/identity/index.ts";
import { ROLE_HOLDERS, type RoleHolder, Roles } from "../../../access/index.ts";
import type { MemoryStore } from "../../../memory/index.ts";
import { MEMORY_SCOPES } from "../../../shared/caller.ts";
import { invalidInput } from "../../../shared/errors.ts";
import {
  endedLogIns,
  named,
  peopleList,
  roleHolder,
  roleList,
  roleRecord,
  trustedAgent,
  trustedAgents,
} from "./responses.ts";
import { defineStoreRoute } from "./store-route.ts";

const shared = { tag: "access", scope: "admin" } as const;

const holderFields = {
  kind: z.enum(ROLE_HOLDERS).describe("Kind of holder; `everyone` means every user who logs in."),
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Name of the user, group or agent; omit for everyone."),
  in: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("Databases; `@own` is each user's own. Default: all."),
};

const agentName = z
  .string()
  .min(1)
  .max(64)
  .describe("Name of the agent; the author of its changes.");

function peopleOf({ records, tokens }: MemoryStore): LoggedIn {
  return new LoggedIn(new People(records, tokens), new Sessions(records));
}

function trustsOf({ records, tokens }: MemoryStore): Trusts {
  return new Trusts(records, { tokens, people: new People(records, tokens) });
}

export const listAccess = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/access",
  id: "list_access",
  summary: "List the roles of users, groups and agents per database",
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
  serve: ({ store, input: { role, in: databases, ...given } }) =>
    new Roles(store.records).grant(holderOf(given), role, databases),
});

export const revokeAccess = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/revoke",
  id: "revoke_access",
  summary: "Revoke a holder's roles, in some or all databases",
  output: roleHolder,
  body: z.strictObject(holderFields),
  async serve({ store, input: { in: databases, ...given } }) {
    const holder = holderOf(given);
    await new Roles(store.records).revoke(holder, databases);
    return holder;
  },
});

const MAX_PEOPLE = 500;

export const listPeople = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/people",
  id: "list_people",
  summary: "List users who logged in or come from the directory, with their clients",
  changes: () => false,
  output: peopleList,
  body: z.strictObject({
    name: z.string().min(1).max(200).optional().describe("Only the user with this name."),
    offset: z.number().int().min(0).default(0).describe("Number of users to skip."),
    limit: z.number().int().min(1).max(MAX_PEOPLE).default(MAX_PEOPLE),
  }),
  serve: ({ store, input: { name, ...range } }) => peopleOf(store).shown(name, range),
});

export const endLogIns = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/end",
  id: "end_log_ins",
  summary: "End all sessions of a user; servers reject them within a second",
  output: endedLogIns,
  body: z.strictObject({ name: z.string().min(1).max(200).describe("Of the person.") }),
  serve: ({ store, input: { name } }) => peopleOf(store).end(name),
});

export const listTrusts = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/access/trusts",
  id: "list_trusts",
  summary: "List trusted issuers and their agents",
  output: trustedAgents,
  body: z.strictObject({}),
  serve: async ({ store }) => ({ agents: await trustsOf(store).list() }),
});

export const trustAgent = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/trust",
  id: "trust_agent",
  summary: "Trust tokens of an issuer for an agent, replacing its earlier trust",
  output: trustedAgent,
  body: z.strictObject({
    name: agentName,
    issuer: z.string().min(1).max(1_000).describe("Issuer of the tokens (claim `iss`)."),
    audience: z.string().min(1).max(1_000).describe("Audience of the tokens (claim `aud`)."),
    claims: z
      .record(z.string(), z.string())
      .describe("Required claims; a trailing `*` matches any suffix."),
  }),
  serve: ({ store, input }) => trustsOf(store).add(input),
});

export const distrustAgent = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/distrust",
  id: "distrust_agent",
  summary: "Remove an agent's trust and end its sessions",
  output: named,
  body: z.strictObject({ name: agentName }),
  async serve({ store, input: { name } }) {
    await trustsOf(store).remove(name);
    return { name };
  },
});

interface GivenHolder {
  readonly kind: RoleHolder["kind"];
  readonly name?: string | undefined;
}

function holderOf({ kind, name = "" }: GivenHolder): RoleHolder {
  if ((kind === "everyone") === (name === "")) return { kind, name };
  throw invalidInput(
    kind === "everyone" ? "name: must be omitted for everyone" : `name: must name the ${kind}`,
  );
}
