import type { Hono } from "hono";
import { z } from "zod";
import { type HttpEnv, readJsonBody } from "../server/http/index.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Phones } from "./phones.ts";

const PHONES = "/agent/phones";

export function isPhonesPath(path: string): boolean {
  return path === PHONES || path.startsWith(`${PHONES}/`);
}

const wanted = z.strictObject({
  /** Where to listen; left out: where phones are let in already. */
  address: z.string().min(1).optional(),
  name: z.string().optional(),
  expires: z.string().optional(),
});

/** What whoever may speak with the agent does with phones: pairs them, sees them, takes them back. */
export function addPhonesRoutes(app: Hono<HttpEnv>, phones: Phones): void {
  app.get(PHONES, async (c) => c.json(await phones.standing()));
  app.post(`${PHONES}/links`, async (c) => {
    const { data: input, error } = wanted.safeParse(await readJsonBody(c));
    if (error !== undefined) throw invalidInput(z.prettifyError(error));
    return c.json(await phones.makeLink(input));
  });
  app.delete(`${PHONES}/:name`, (c) => {
    phones.revoke(c.req.param("name"));
    return c.body(null, 204);
  });
}
