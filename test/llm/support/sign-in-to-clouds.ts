import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { StrictService } from "./providers/index.ts";

/** Sets AWS variables so that Bedrock resolves to `service`. */
export function signInToBedrock(service: Pick<StrictService, "baseUrl">): void {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", service.baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Sets up Google application credentials with a local token endpoint. */
export async function signInToGoogle(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      const issued_token_type = "urn:ietf:params:oauth:token-type:access_token";
      const token = { access_token: "of-google", issued_token_type, token_type: "Bearer" };
      response.end(JSON.stringify({ ...token, expires_in: 3_600 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "cairn-google-"));
  const subject = join(folder, "subject");
  const credentials = join(folder, "credentials.json");
  writeFileSync(subject, "vouched-for");
  writeFileSync(
    credentials,
    JSON.stringify({
      type: "external_account",
      audience:
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/token`,
      credential_source: { file: subject },
    }),
  );
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", credentials);
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", "p");
  vi.stubEnv("GOOGLE_VERTEX_PROJECT", "p");
  vi.stubEnv("GOOGLE_VERTEX_LOCATION", "global");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
}
