import type { Context, Hono } from "hono";
import { type HttpEnv, queryOf } from "../../../server/http/index.ts";
import { isCairnError } from "../../../shared/errors.ts";
import type { Identity } from "../identity.ts";
import { isObject } from "./filter.ts";
import type { FoundPage, PageRange } from "./found-page.ts";
import { ScimGroups } from "./groups.ts";
import { ScimError, scimErrorResponse, scimResponse } from "./scim-error.ts";
import { ScimUsers } from "./users.ts";

const PREFIX = "/scim/v2";
const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const CONFIG = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
const RESOURCE_TYPE = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
const MOST = 200;

export function isScimPath(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** Adds what the company's directory says over SCIM 2.0 (RFC 7643, 7644): who joins and leaves. */
export function addScimRoutes(app: Hono<HttpEnv>, identity: Identity): void {
  const resources = { Users: new ScimUsers(identity), Groups: new ScimGroups(identity) };
  for (const [name, resource] of Object.entries(resources)) {
    const path = `${PREFIX}/${name}`;
    app.get(
      path,
      answered(async (c) =>
        listPage(c, (filter, range) => resource.list(filter, range, showsOf(c))),
      ),
    );
    app.post(
      path,
      answered(async (c) => {
        const made = await resource.create(await body(c));
        return scimResponse(made, 201, { location: locationOf(made) });
      }),
    );
    app.get(
      `${path}/:id`,
      answered(async (c) => scimResponse(shaped(c, await resource.get(idOf(c), showsOf(c))))),
    );
    app.put(
      `${path}/:id`,
      answered(async (c) => scimResponse(await resource.replace(idOf(c), await body(c)))),
    );
    app.patch(
      `${path}/:id`,
      answered(async (c) => {
        const after = await resource.patch(idOf(c), await body(c));
        // Who is in a group may be very many: they are not told with each change.
        return after === undefined ? new Response(null, { status: 204 }) : scimResponse(after);
      }),
    );
    app.delete(
      `${path}/:id`,
      answered(async (c) => {
        await resource.remove(idOf(c));
        return new Response(null, { status: 204 });
      }),
    );
  }
  app.get(`${PREFIX}/ServiceProviderConfig`, () => scimResponse(CONFIGURATION));
  app.get(`${PREFIX}/ResourceTypes`, () => scimResponse(listOf(RESOURCE_TYPES, 1)));
}

const supported = (isSo: boolean) => ({ supported: isSo });

const CONFIGURATION = {
  schemas: [CONFIG],
  patch: supported(true),
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST },
  changePassword: supported(false),
  sort: supported(false),
  etag: supported(false),
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "identity.scimToken",
      primary: true,
    },
  ],
};

const RESOURCE_TYPES = ["User", "Group"].map((name) => ({
  schemas: [RESOURCE_TYPE],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: `urn:ietf:params:scim:schemas:core:2.0:${name}`,
}));

async function listPage(
  c: Context<HttpEnv>,
  list: (filter: string | undefined, range: PageRange) => Promise<FoundPage>,
): Promise<Response> {
  const query = queryOf(c.req.url);
  const start = Math.max(1, whole(query.get("startIndex"), 1));
  const limit = Math.min(MOST, Math.max(0, whole(query.get("count"), MOST)));
  const filter = query.get("filter") ?? undefined;
  const { total, resources } = await list(filter, { offset: start - 1, limit });
  const part = resources.map((resource) => shaped(c, resource));
  return scimResponse({ ...listOf(part, start), totalResults: total });
}

function listOf(resources: readonly object[], startIndex: number): object {
  const { length } = resources;
  return {
    schemas: [LIST],
    totalResults: length,
    startIndex,
    itemsPerPage: length,
    Resources: resources,
  };
}

function whole(text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError(400, "startIndex and count: must be whole numbers", "invalidValue");
}

/** Without `excludedAttributes`, or with `attributes` alone. */
function shaped(c: Context<HttpEnv>, resource: object): object {
  const shows = showsOf(c);
  return Object.fromEntries(Object.entries(resource).filter(([name]) => shows(name)));
}

/** Whether an attribute is to be in the answer. */
function showsOf(c: Context<HttpEnv>): (attribute: string) => boolean {
  const query = queryOf(c.req.url);
  const only = names(query.get("attributes"));
  const without = names(query.get("excludedAttributes"));
  return (name) => {
    if (name === "id" || name === "schemas") return true;
    const plain = name.toLowerCase();
    return only.length > 0 ? only.includes(plain) : !without.includes(plain);
  };
}

function names(text: string | null): string[] {
  const listed = (text ?? "").toLowerCase().split(",");
  return listed.map((name) => name.trim().replace(/\..*$/, "")).filter((name) => name !== "");
}

function answered(answer: (c: Context<HttpEnv>) => Promise<Response>) {
  return async (c: Context<HttpEnv>): Promise<Response> => {
    try {
      return await answer(c);
    } catch (error) {
      if (error instanceof ScimError) return scimErrorResponse(error);
      if (!isCairnError(error) || error.code === "internal") throw error;
      if (error.code === "conflict") {
        return scimErrorResponse(new ScimError(409, error.message, "uniqueness"));
      }
      const status = error.code === "not_found" ? 404 : error.code === "invalid_input" ? 400 : 503;
      return scimErrorResponse(new ScimError(status, error.message));
    }
  };
}

async function body(c: Context<HttpEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    throw new ScimError(400, "The body must be JSON", "invalidSyntax");
  }
}

function idOf(c: Context<HttpEnv>): string {
  return c.req.param("id") ?? "";
}

function locationOf(resource: object): string {
  const meta: unknown = Reflect.get(resource, "meta");
  return isObject(meta) && typeof meta.location === "string" ? meta.location : "";
}
