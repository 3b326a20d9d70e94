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
  kind: z.enum(ROLE_HOLDERS).describe("Who it is for: `everyone` is each person who logs in."),
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Of the person, the group or the agent; left out for everyone."),
  in: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      "Only in these databases; `@own` is the one that each person has alone. Default: all.",
    ),
};

const agentName = z.string().min(1).max(64).describe("Of the agent, the author of what it writes.");

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
  summary: "List which people, groups and agents have which role in which database",
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
  summary: "Give a role; the one that the holder has there is replaced",
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
  summary: "Take away what a holder may do, in some databases or everywhere",
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
  summary: "List who has logged in or was told of by the directory, and with which clients",
  changes: () => false,
  output: peopleList,
  body: z.strictObject({
    name: z.string().min(1).max(200).optional().describe("Only the one of this name."),
    offset: z.number().int().min(0).default(0).describe("Leaves out so many."),
    limit: z.number().int().min(1).max(MAX_PEOPLE).default(MAX_PEOPLE),
  }),
  serve: ({ store, input: { name, ...range } }) => peopleOf(store).shown(name, range),
});

export const endLogIns = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/end",
  id: "end_log_ins",
  summary: "End all that somebody is logged in with; servers refuse it within a second",
  output: endedLogIns,
  body: z.strictObject({ name: z.string().min(1).max(200).describe("Of the person.") }),
  serve: ({ store, input: { name } }) => peopleOf(store).end(name),
});

export const listTrusts = defineStoreRoute({
  ...shared,
  method: "GET",
  path: "/access/trusts",
  id: "list_trusts",
  summary: "List programs of other issuers whose tokens are exchanged",
  output: trustedAgents,
  body: z.strictObject({}),
  serve: async ({ store }) => ({ agents: await trustsOf(store).list() }),
});

export const trustAgent = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/trust",
  id: "trust_agent",
  summary:
    "Say which tokens of another issuer are those of an agent; replaces what was said before",
  output: trustedAgent,
  body: z.strictObject({
    name: agentName,
    issuer: z.string().min(1).max(1_000).describe("Who signs the tokens, as `iss` says it."),
    audience: z.string().min(1).max(1_000).describe("What they have to be made for."),
    claims: z
      .record(z.string(), z.string())
      .describe("What they have to say; a `*` at the end stands for any ending."),
  }),
  serve: ({ store, input }) => trustsOf(store).add(input),
});

export const distrustAgent = defineStoreRoute({
  ...shared,
  method: "POST",
  path: "/access/distrust",
  id: "distrust_agent",
  summary: "Exchange tokens of an agent no more; what it is logged in with ends",
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
    kind === "everyone"
      ? "name: leave it out, since this is for each person who logs in"
      : `name: say which ${kind} it is about`,
  );
}
