import { describe, expect, it } from "vitest";
import { createRequestGuard } from "../../../src/server/http/index.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { startGuardedApp } from "./guarded-server.ts";
import { rawRequest, requestText } from "./raw-request.ts";

const ROUTES = ["/things", "/fails", "/nowhere", "//", "/things?x=1"];

describe("Host", () => {
  it.each(["evil.test", "evil.test:80", "127.0.0.1.evil.test", "localhost@evil.test", "[::2]", ""])(
    "%j is rejected on every route",
    async (host) => {
      const { port } = await startGuardedApp();
      for (const path of ROUTES) {
        const answer = await rawRequest(port, requestText({ path, headers: { Host: host } }));
        expect(answer).toMatch(/^HTTP\/1\.1 (403|400) /);
        expect(answer).toMatch(/"code":"(forbidden|invalid_input)"/);
      }
    },
  );

  it("every loopback name is accepted on any port", async () => {
    const { port } = await startGuardedApp();
    for (const host of [
      "127.0.0.1",
      "LOCALHOST",
      `LocalHost:${port}`,
      `localhost:${port}`,
      "[::1]:9",
      "localhost:9",
    ]) {
      const answer = await rawRequest(
        port,
        requestText({ path: "/things", headers: { Host: host } }),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it("is rejected if repeated, even with the same value", async () => {
    const { port } = await startGuardedApp();
    for (const other of ["127.0.0.1", "evil.test"]) {
      const text = `GET /things HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: ${other}\r\nConnection: close\r\n\r\n`;
      expect(await rawRequest(port, text)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it("an allowed name is accepted, on its port if one is set", async () => {
    const { port } = await startGuardedApp({ allowHost: ["Box.lan", "other.lan:99"] });
    const status = async (host: string) =>
      (await rawRequest(port, requestText({ path: "/things", headers: { Host: host } }))).slice(
        9,
        12,
      );
    expect(await status("box.lan:1234")).toBe("200");
    expect(await status("box.lan")).toBe("200");
    expect(await status("other.lan:99")).toBe("200");
    expect(await status("other.lan:98")).toBe("403");
    expect(await status("other.lan")).toBe("403");
  });
});

describe("Origin", () => {
  it("of this server is accepted; another port, scheme or site is rejected", async () => {
    const { port, url } = await startGuardedApp();
    const status = async (origin: string) =>
      (await fetch(`${url}/things`, { headers: { Origin: origin } })).status;
    expect(await status(`http://127.0.0.1:${port}`)).toBe(200);
    expect(await status(`http://localhost:${port}`)).toBe(200);
    for (const origin of [
      `http://localhost:${port + 1}`,
      "http://localhost",
      `https://localhost:${port}`,
      "https://evil.test",
      `http://localhost:${port}.evil.test`,
      "null",
      "file://",
    ]) {
      expect(await status(origin)).toBe(403);
    }
  });

  it("that matches a foreign Host is rejected (DNS rebinding)", async () => {
    const { port } = await startGuardedApp();
    const headers = { Host: `evil.test:${port}`, Origin: `http://evil.test:${port}` };
    expect(await rawRequest(port, requestText({ path: "/things", headers }))).toMatch(/ 403 /);
  });

  it("no response has CORS headers unless a flag allowed the origin", async () => {
    const { url, port } = await startGuardedApp();
    for (const origin of [`http://127.0.0.1:${port}`, "https://app.test"]) {
      for (const method of ["GET", "OPTIONS", "POST"]) {
        const headers = { Origin: origin, "Access-Control-Request-Method": "POST" };
        const answer = await fetch(`${url}/things`, { method, headers });
        const cors = [...answer.headers.keys()].filter((name) => name.startsWith("access-control"));
        expect(cors).toEqual([]);
      }
    }
  });

  it("allowed by a flag passes preflight and can read responses and errors", async () => {
    const { url } = await startGuardedApp({ allowOrigin: ["https://app.test"], token: "t" });
    const preflight = await fetch(`${url}/things`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://app.test",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://app.test");
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "authorization,content-type",
    );
    for (const path of ["/things", "/nowhere", "/fails"]) {
      for (const authorization of ["Bearer t", "Bearer wrong"]) {
        const answer = await fetch(url + path, {
          headers: { Origin: "https://app.test", Authorization: authorization },
        });
        expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.test");
        expect(answer.headers.get("vary")).toBe("Origin");
      }
    }
    const other = await fetch(`${url}/things`, {
      method: "OPTIONS",
      headers: { Origin: "https://other.test", "Access-Control-Request-Method": "POST" },
    });
    expect(other.status).toBe(403);
  });
});

describe("a token", () => {
  it("is required on every route, known or not", async () => {
    const { url } = await startGuardedApp({ token: "s3cret" });
    for (const path of ROUTES) {
      for (const authorization of [undefined, "Bearer", "Bearer s3cre", "Basic s3cret", "s3cret"]) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        const answer = await fetch(url + path, { headers });
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        expect(await answer.text()).not.toContain("s3cret");
      }
    }
    const answer = await fetch(`${url}/things`, { headers: { Authorization: "bearer s3cret" } });
    expect(answer.status).toBe(200);
  });

  it("in the query string does not authorize an HTTP route", async () => {
    const { url } = await startGuardedApp({ token: "s3cret" });
    expect((await fetch(`${url}/things?token=s3cret`)).status).toBe(401);
  });

  it("is required for other machines even after the last one was revoked", async () => {
    const holders = {
      isClosed: () => Promise.resolve(false),
      holderOf: () => Promise.resolve(undefined),
    };
    const facts = {
      host: "127.0.0.1",
      origin: undefined,
      localPort: 1,
      authorization: undefined,
      path: "/",
    };
    const open = createRequestGuard({ host: "127.0.0.1", holders });
    expect(await open.check(facts)).toEqual({ name: undefined, scope: "admin" });
    const reachable = createRequestGuard({ host: "0.0.0.0", holders });
    await expect(reachable.check(facts)).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("the error shape", () => {
  const json = { "Content-Type": "application/json" };

  it.each([
    ["an unknown path", "/nowhere", {}, 404, "not_found"],
    ["an unknown method", "/things", { method: "DELETE" }, 405, "method_not_allowed"],
    ["OPTIONS", "/things", { method: "OPTIONS" }, 405, "method_not_allowed"],
    ["a form", "/things", { method: "POST", body: "a=1" }, 415, "unsupported_media_type"],
    ["broken JSON", "/things", { method: "POST", body: "{", headers: json }, 400, "invalid_input"],
    ["no body", "/things", { method: "POST", headers: json }, 400, "invalid_input"],
    ["a failure", "/fails", {}, 500, "internal"],
  ])("holds for %s", async (_name, path, init, status, code) => {
    const { url } = await startGuardedApp();
    const answer = await fetch(url + path, init);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } });
  });

  it("405 lists allowed methods", async () => {
    const { url } = await startGuardedApp();
    const answer = await fetch(`${url}/things`, { method: "PUT" });
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("an internal error is logged but not exposed", async () => {
    const { url, logged } = await startGuardedApp();
    expect(await (await fetch(`${url}/fails`)).text()).not.toContain("secret detail");
    expect(logged.join()).toContain("secret detail");
  });

  it("invalid UTF-8 is a client error", async () => {
    const { url } = await startGuardedApp();
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const answer = await fetch(`${url}/things`, { method: "POST", body, headers: json });
    expect(answer.status).toBe(400);
  });

  it.each([
    "GET / HTTP/9.9\r\n\r\n",
    "\u0000\u0001\u0002\r\n\r\n",
    "GET \\ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  ])("invalid HTTP gets a response and the server continues: %j", async (text) => {
    const { port, url } = await startGuardedApp();
    expect(await rawRequest(port, text)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"invalid_input"/);
    expect((await fetch(`${url}/things`)).status).toBe(200);
  });

  it("an unsupported upgrade gets a response", async () => {
    const { port } = await startGuardedApp();
    const headers = { Host: "localhost", Connection: "Upgrade", Upgrade: "h2c" };
    expect(await rawRequest(port, requestText({ headers }))).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("the body limit", () => {
  const headers = { "Content-Type": "application/json" };

  it("holds for a declared length and for a stream, to the byte", async () => {
    const { url } = await startGuardedApp({ bodyBytes: 1000 });
    const fits = JSON.stringify("x".repeat(998));
    const post = (body: string | ReadableStream<Uint8Array>) =>
      fetch(`${url}/things`, { method: "POST", body, headers, duplex: "half" } as RequestInit);
    expect((await post(fits)).status).toBe(200);
    expect((await post(stream(fits, 10))).status).toBe(200);
    for (const body of [`${fits} `, stream(`${fits} `, 10)]) {
      const answer = await post(body);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ error: { code: "too_large" } });
    }
  });

  it("an endless stream is rejected while being sent", async () => {
    const { port } = await startGuardedApp({ bodyBytes: 1000 });
    const head = requestText({
      method: "POST",
      path: "/things",
      headers: { Host: "localhost", "Transfer-Encoding": "chunked", ...headers },
    });
    const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
    expect(await rawRequest(port, head + chunk.repeat(4))).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("a client disconnect is not a server error", async () => {
    const { port, url, logged } = await startGuardedApp();
    const { connect } = await import("node:net");
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
    );
    // Ensures that the server has read the partial request.
    expect((await fetch(`${url}/things`)).status).toBe(200);
    socket.destroy();
    await waitFixedTime(50, "no event may follow");
    expect((await fetch(`${url}/things`)).status).toBe(200);
    expect(logged).toEqual([]);
  });
});

function stream(text: string, parts: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / parts);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

describe("Sec-Fetch-Site", () => {
  it("of another site is rejected without Origin, except for navigation", async () => {
    const { port } = await startGuardedApp();
    const status = async (site: string, mode: string) => {
      const headers = { Host: "localhost", "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode };
      return (await rawRequest(port, requestText({ path: "/things", headers }))).slice(9, 12);
    };
    for (const site of ["cross-site", "same-site"]) {
      expect(await status(site, "no-cors")).toBe("403");
      expect(await status(site, "navigate")).toBe("200");
    }
    expect(await status("same-origin", "cors")).toBe("200");
    expect(await status("none", "navigate")).toBe("200");
  });

  it("responses cannot be loaded by other sites", async () => {
    const { url } = await startGuardedApp();
    for (const path of ["/things", "/fails", "/nowhere"]) {
      const { headers } = await fetch(url + path);
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });
});
