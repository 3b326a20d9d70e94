// @module-tag long: each step of the tutorial in a terminal.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import {
  type StrictService,
  startStrictBedrock,
  startStrictChat,
  startStrictOllama,
} from "../llm/support/providers/index.ts";
import { startProxy } from "../llm/support/proxy.ts";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { wordsOf } from "../support/typed-commands.ts";

const page = readFileSync(join(packageRoot(), "docs/tutorial-agent.md"), "utf8");

const typed = Array.from(page.matchAll(/^```console\n([\s\S]*?)^```$/gm), ([, block = ""]) => block)
  .flatMap((block) => block.split(/^\$ /m).slice(1))
  .map((text) => {
    const [command = "", ...shown] = text.trimEnd().split("\n");
    return { command, shown: shown.filter((line) => line !== "…") };
  });

/** Returns the variables that the page exports for a service, with placeholder secrets. */
function exported(way: string): Record<string, string> {
  const block = new RegExp(`^\`\`\`sh ${way}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? "";
  const pairs = Array.from(block.matchAll(/^export (\w+)=(.*)$/gm), ([, name = "", value = ""]) => [
    name,
    value.replace("…", "made-up"),
  ]);
  return Object.fromEntries(pairs);
}

interface Way {
  readonly start: () => Promise<StrictService>;
  /** Variables that redirect requests to the strict server. All others come from the page. */
  readonly lead: (service: StrictService, proxy: string) => Record<string, string>;
  readonly isBehindProxy?: true;
}

/** A host name that only the proxy resolves. */
const elsewhere = ({ baseUrl }: StrictService) =>
  baseUrl.replace("127.0.0.1", "bedrock-runtime.example.test");

const WAYS: Readonly<Record<string, Way>> = {
  groq: {
    start: () => startStrictChat({ efforts: ["low", "medium", "high"], thinksIn: "reasoning" }),
    lead: ({ baseUrl }) => ({ CAIRN_BASE_URL: baseUrl }),
  },
  ollama: {
    start: () => startStrictOllama({ thinks: "switch" }),
    lead: ({ baseUrl }) => ({ CAIRN_BASE_URL: baseUrl }),
  },
  bedrock: {
    start: () => startStrictBedrock({ claude: { thinking: "adaptive" } }),
    lead: (service, proxy) => ({
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: elsewhere(service),
      HTTPS_PROXY: proxy,
    }),
    isBehindProxy: true,
  },
};

describe.each(Object.keys(WAYS))("the tutorial of the agent with %s", (name) => {
  it("runs without an error", async () => {
    const way = WAYS[name] as Way;
    await using service = await way.start();
    const proxy = await startProxy();
    const input = exported(name);
    expect(input.CAIRN_PROVIDER).toBe(name);
    const env = { ...input, ...way.lead(service, proxy.url) };
    const place = createCairnFolders();
    for (let step = 0; step < 9; step += 1) {
      for (const call of [0, 1]) writeFileSync(join(place.project, `f${step}${call}`), "A note.\n");
    }
    expect(typed.length).toBeGreaterThan(4);
    for (const { command, shown } of typed) {
      const [program, ...args] = wordsOf(command);
      expect(program).toBe("cairn");
      const running = await CairnProcess.start({ place, args, env });
      running.child.stdin?.end();
      const { code } = await running.exited;
      const { stdout, stderr } = running;
      expect([command, code, stderr.match(/error.*/i)?.[0]]).toEqual([command, 0, undefined]);
      for (const line of shown) {
        expect(stdout).toMatch(new RegExp(`^${line.split("…").map(literally).join(".*")}`, "m"));
      }
    }
    expect(service.refusals).toEqual([]);
    // Nine steps and the final response, then one request per further message.
    const requests = service.seen.filter(({ body }) =>
      JSON.stringify(body).includes("Read the notes"),
    );
    expect(requests.length).toBeGreaterThanOrEqual(11);
    expect(requests.some(({ body }) => JSON.stringify(body).includes("A note."))).toBe(true);
    expect(proxy.asked.length > 0).toBe(way.isBehindProxy === true);
  }, 360_000);
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
