import { Hono } from "hono";
import { expect, it } from "vitest";
import { createTurnstile, type HttpEnv } from "../../../src/server/http/index.ts";

it("starts one request per event-loop turn in order of arrival", async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const began: [string, number][] = [];
  const app = new Hono<HttpEnv>();
  app.use(createTurnstile());
  app.get("/:name", (c) => {
    began.push([c.req.param("name"), turn]);
    return c.text("");
  });
  const names = ["a", "b", "c", "d", "e"];
  await Promise.all(names.map((name) => app.request(`/${name}`)));
  await app.request("/later");
  isOver = true;
  expect(began.map(([name]) => name)).toEqual([...names, "later"]);
  expect(new Set(began.map(([, when]) => when)).size).toBe(6);
});
