import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createModelClient, llmSettings } from "../../src/llm/index.ts";
import { startFaultyProxy } from "./support/faulty-proxy.ts";
import { startStrictBedrock } from "./support/providers/index.ts";
import { signInToBedrock } from "./support/sign-in-to-clouds.ts";

const rules = { claude: { thinking: "budget" as const }, steps: 0 };
const settings = llmSettings.parse({
  provider: "bedrock",
  model: "anthropic.claude-sonnet-4-5-v1:0",
  effort: "low",
  maxRetries: 0,
});

function say(client = createModelClient(settings)) {
  return client.answer({
    system: "SYSTEM",
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    signal: AbortSignal.timeout(60_000),
  });
}

function installAws(keys: object | undefined, region = ""): () => string[] {
  const folder = mkdtempSync(join(tmpdir(), "cairn-aws-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const calls = join(folder, "calls");
  writeFileSync(calls, "");
  const exported =
    keys === undefined
      ? "echo 'The SSO session has expired' >&2; exit 255"
      : `echo '${JSON.stringify(keys)}'`;
  writeFileSync(
    join(folder, "aws"),
    `#!/bin/sh\necho "$*" >> ${calls}\ncase "$2" in\nget) echo "${region}";;\n*) ${exported};;\nesac\n`,
  );
  chmodSync(join(folder, "aws"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_DEFAULT_REGION", "AWS_BEARER_TOKEN_BEDROCK"]) {
    vi.stubEnv(name, undefined);
  }
  return () => readFileSync(calls, "utf8").split("\n").filter(Boolean);
}

const KEYS = { Version: 1, AccessKeyId: "AKIDOFSSO", SecretAccessKey: "s3cr3t", SessionToken: "t" };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

it.skipIf(process.platform === "win32")(
  "gets credentials from the AWS CLI once and signs with them",
  async () => {
    await using service = await startStrictBedrock({ ...rules });
    const calls = installAws({ ...KEYS, Expiration: inAnHour() }, "eu-west-3");
    signInToBedrock(service);
    vi.stubEnv("AWS_REGION", undefined);
    const client = createModelClient(settings);
    expect((await say(client)).text).toBe("Done.");
    expect((await say(client)).text).toBe("Done.");
    expect(service.seen[1]?.headers).toMatchObject({
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDOFSSO\/\d{8}\/eu-west-3\/bedrock\/aws4_request/,
      ),
      "x-amz-security-token": "t",
    });
    expect(calls()).toEqual([
      "configure get region",
      "configure export-credentials --format process",
    ]);
  },
);

it.skipIf(process.platform === "win32")("renews credentials before they expire", async () => {
  await using service = await startStrictBedrock({ ...rules });
  const calls = installAws({ ...KEYS, Expiration: new Date(Date.now() + 1_000).toISOString() });
  signInToBedrock(service);
  const client = createModelClient(settings);
  await say(client);
  await say(client);
  expect(calls().filter((call) => call.includes("export"))).toHaveLength(2);
});

it.skipIf(process.platform === "win32")("reports missing credentials with a fix", async () => {
  await using service = await startStrictBedrock({ ...rules });
  installAws(undefined);
  signInToBedrock(service);
  await expect(say()).rejects.toThrow(/The SSO session has expired.*aws sso login/);
  expect(service.seen).toEqual([]);
});

it("uses credentials from the environment only", async () => {
  await using service = await startStrictBedrock({ ...rules });
  const calls = installAws(KEYS);
  signInToBedrock(service);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDOFENV");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "of-the-environment");
  await say();
  expect(String(service.seen[0]?.headers.authorization)).toContain("Credential=AKIDOFENV/");
  expect(calls()).toEqual([]);
});

it("sends signed requests unchanged and reports rejected fields", async () => {
  await using service = await startStrictBedrock({ ...rules });
  const body = { message: "thinking: Extra inputs are not permitted" };
  const way = await startFaultyProxy(service, "frames", [{ instead: { status: 400, body } }]);
  signInToBedrock(way);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDOFENV");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "of-the-environment");
  await expect(say()).rejects.toThrow("thinking: Extra inputs are not permitted");
  expect(way.asked()).toBe(1);
});
