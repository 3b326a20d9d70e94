import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";

const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

/** How a connection is encrypted, in the terms of PostgreSQL addresses. */
export interface PostgresTls {
  readonly mode: (typeof MODES)[number];
  /** Certificate files: trusted root certificates, and the client's own certificate with its key. */
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Root certificates that the machine trusts. */
const OF_THE_SYSTEM = "system";

/**
 * Removes the TLS parameters from an address and returns them. Undefined if there are none. `field` names the
 * setting in errors.
 */
export function takeTls(parameters: URLSearchParams, field: string): PostgresTls | undefined {
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value;
  };
  const [mode, ssl] = [take("sslmode"), take("ssl")];
  const rootCert = take("sslrootcert");
  const [cert, key] = [take("sslcert"), take("sslkey")];
  if ([mode, ssl, rootCert, cert, key].every((given) => given === undefined)) return undefined;
  if (mode === undefined && ssl !== undefined) {
    throw invalidInput(`${field}: says ssl; choose sslmode=${MODES.join(", ")} instead`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw invalidInput(`${field}: sslcert and sslkey go together; give both, or none`);
  }
  return { mode: modeOf(mode ?? "verify-full", { field, rootCert }), rootCert, cert, key };
}

function modeOf(
  text: string,
  { field, rootCert }: { readonly field: string; readonly rootCert: string | undefined },
): PostgresTls["mode"] {
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) {
    throw invalidInput(`${field}: sslmode is ${MODES.join(", ")}, not "${text.slice(0, 40)}"`);
  }
  if (mode === "verify-ca" && rootCert === undefined) {
    throw invalidInput(
      `${field}: sslmode=verify-ca needs sslrootcert, the file of the certificate that is believed; or take verify-full`,
    );
  }
  return mode;
}

/** The options in the driver's form. Throws unavailable for a file that cannot be read. */
export function tlsOptions({ mode, rootCert, cert, key }: PostgresTls): ConnectionOptions | false {
  if (mode === "disable") return false;
  const ca =
    rootCert === undefined || rootCert === OF_THE_SYSTEM
      ? {}
      : { ca: read("sslrootcert", rootCert) };
  const own =
    cert === undefined || key === undefined
      ? {}
      : { cert: read("sslcert", cert), key: read("sslkey", key) };
  if (mode === "verify-full") return { ...ca, ...own };
  if (rootCert === undefined) return { ...own, rejectUnauthorized: false };
  return { ...ca, ...own, checkServerIdentity: () => undefined };
}

function read(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CairnError(
      "unavailable",
      `${parameter} in the address of PostgreSQL names a file that cannot be read: ${messageOf(error)}`,
      undefined,
      { cause: error },
    );
  }
}
