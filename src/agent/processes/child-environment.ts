import { readFileSync } from "node:fs";
import { SERVICES } from "../../llm/index.ts";
import { inheritedMark, PROCESS_TREE_MARKER } from "./process-scan.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME_PATTERNS = [
  /^CAIRN_(EMBEDDING_|WEB_SEARCH_)?(API_KEY|TOKEN)$/,
  /^(OPENAI|ANTHROPIC|GOOGLE|GOOGLE_GENERATIVE_AI|GEMINI|OPENROUTER|MISTRAL|GROQ|DEEPSEEK|XAI|ZAI|TOGETHER|FIREWORKS|COHERE|PERPLEXITY|CEREBRAS|AZURE|AZURE_OPENAI|OLLAMA|HF|HUGGINGFACE|VOYAGE|JINA|BRAVE|TAVILY)_(API_KEY|API_TOKEN|AUTH_TOKEN|TOKEN|KEY)$/,
  /^(ANTHROPIC_AUTH_TOKEN|OPENAI_KEY|VERCEL_OIDC_TOKEN)$/,
];
const SERVICE_KEY_VARIABLES: ReadonlySet<string> = new Set(
  Object.values(SERVICES).flatMap((service) =>
    "keyVariable" in service && service.keyVariable !== undefined ? [service.keyVariable] : [],
  ),
);

function isSecret(name: string): boolean {
  return (
    SERVICE_KEY_VARIABLES.has(name) || SECRET_NAME_PATTERNS.some((pattern) => pattern.test(name))
  );
}

export function secretNames(environment: Environment): readonly string[] {
  return Object.keys(environment).filter(isSecret);
}

export function childEnvironment(
  environment: Environment,
  secrets: readonly (string | undefined)[] = [],
): Record<string, string> {
  const values = new Set(secrets.filter((secret) => secret !== undefined && secret !== ""));
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !isSecret(entry[0]) && !values.has(entry[1]),
    ),
  );
}

const MAX_ANCESTORS = 64;

/**
 * True if an agent's command started this process, directly or indirectly: by the marker in its
 * environment or as an open file, or that of a parent. The sandbox keeps processes that hide both
 * from the trust file.
 */
export function startedByAgent(environment: Environment): boolean {
  if (environment[PROCESS_TREE_MARKER] !== undefined) return true;
  if (inheritedMark(process.pid)?.startsWith(`${PROCESS_TREE_MARKER}=`) === true) return true;
  let pid = process.ppid;
  for (let depth = 0; depth < MAX_ANCESTORS && pid > 1; depth += 1) {
    if (readProc(pid, "environ").includes(`${PROCESS_TREE_MARKER}=`)) return true;
    pid = Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, "status"))?.[1] ?? 0);
  }
  return false;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // Another user's process, one that has ended, or a system without /proc.
    return "";
  }
}
