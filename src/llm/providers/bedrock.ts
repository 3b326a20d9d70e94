import { homedir } from "node:os";
import { z } from "zod";
import { processEnvironment } from "../../shared/environment.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { runProgram } from "../../shared/programs.ts";
import { shortenLine } from "../../shared/text.ts";
import { converseEffort } from "../effort.ts";
import { baseModelName } from "../profiles/find-model.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { removeBetaHeaders, toMessages } from "./messages.ts";

/** Output of `aws configure export-credentials`. */
const exported = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  SessionToken: z.string().optional(),
  Expiration: z.iso.datetime({ offset: true }).optional(),
});

type Exported = z.output<typeof exported>;

interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Includes an SSO request. */
const TIMEOUT_MS = 60_000;
/** Margin before expiry at which credentials are renewed. */
const EXPIRY_MARGIN_MS = 60_000;

/**
 * Credentials of the AWS profile, role or SSO session; undefined if the environment has some, which
 * the library reads.
 */
function awsCredentialProvider(): (() => Promise<AwsKeys>) | undefined {
  if (processEnvironment().AWS_ACCESS_KEY_ID !== undefined) return undefined;
  let known: Promise<Exported> | undefined;
  let end = Number.POSITIVE_INFINITY;
  return async () => {
    if (Date.now() > end) known = undefined;
    known ??= exportKeys();
    try {
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = await known;
      if (Expiration !== undefined) end = Date.parse(Expiration) - EXPIRY_MARGIN_MS;
      const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey };
      return SessionToken === undefined ? keys : { ...keys, sessionToken: SessionToken };
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}

/** Returns the region of the environment or profile, if any. */
async function awsRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = processEnvironment();
  const named = AWS_REGION ?? AWS_DEFAULT_REGION;
  if (named !== undefined && named !== "") return named;
  const ofProfile = await runAws("configure", "get", "region").catch(() => "");
  return ofProfile.trim() === "" ? undefined : ofProfile.trim();
}

async function exportKeys(): Promise<Exported> {
  try {
    const printed = await runAws("configure", "export-credentials", "--format", "process");
    return exported.parse(JSON.parse(printed));
  } catch (error) {
    // The output contains credentials and is never reported.
    const reason = error instanceof AwsError ? messageOf(error) : "it printed no credentials";
    throw new CairnError(
      "unavailable",
      `No AWS credentials in the environment, and none from the AWS CLI (${reason}): set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or log in with \`aws sso login\` or \`aws configure\``,
    );
  }
}

class AwsError extends Error {}

async function runAws(...options: readonly string[]): Promise<string> {
  // Runs in the home folder, so a project cannot supply the program.
  const execOptions = { timeout: TIMEOUT_MS, cwd: homedir() };
  try {
    return (await runProgram("aws", options, execOptions)).stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    const reason = code === "ENOENT" ? "it is not installed" : stderr.trim() || "it failed";
    throw new AwsError(shortenLine(reason, 200));
  }
}

/** Claude through the Messages API, others through Converse, with AWS's credential chain. */
export async function loadBedrock(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { apiKey, fetch, model, requestedEffort } = endpoint;
  const region = await awsRegion();
  const credentialProvider = apiKey === undefined ? awsCredentialProvider() : undefined;
  const settings = {
    fetch,
    ...(region !== undefined && { region }),
    ...(apiKey !== undefined && { apiKey }),
    ...(credentialProvider !== undefined && { credentialProvider }),
  };
  if (baseModelName(model).startsWith("claude-")) {
    const { createBedrockAnthropic } = await import("@ai-sdk/amazon-bedrock/anthropic");
    const shared = toMessages({ ...endpoint, baseUrl: "bedrock" });
    return { model: removeBetaHeaders(createBedrockAnthropic(settings)(model)), ...shared };
  }
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const options = { bedrock: converseEffort(requestedEffort) };
  return { model: createAmazonBedrock(settings)(model), forgetsThought: true, options };
}
