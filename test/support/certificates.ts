import { generateKeyPairSync, type KeyObject } from "node:crypto";
import forge from "node-forge";

export interface Certified {
  readonly cert: string;
  readonly key: string;
}

export class CertificateAuthority implements Certified {
  readonly cert: string;
  readonly key: string;
  readonly #name: string;

  constructor(name: string) {
    const keys = newKeys();
    this.#name = name;
    this.key = pem(keys.privateKey);
    this.cert = certify({ subject: name, issuer: name, keys, by: this.key, isAuthority: true });
  }

  certify(...names: readonly string[]): Certified {
    const keys = newKeys();
    const [subject = ""] = names;
    const cert = certify({ subject, issuer: this.#name, keys, by: this.key, names });
    return { cert, key: pem(keys.privateKey) };
  }
}

interface Request {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: ReturnType<typeof newKeys>;
  readonly by: string;
  readonly isAuthority?: boolean;
  readonly names?: readonly string[];
}

function certify({ subject, issuer, keys, by, isAuthority = false, names = [] }: Request): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    keys.publicKey.export({ type: "spki", format: "pem" }).toString(),
  );
  certificate.serialNumber = forge.util.bytesToHex(`\u0001${forge.random.getBytesSync(8)}`);
  certificate.validity.notBefore = new Date(Date.now() - 60_000);
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
  certificate.setSubject([{ name: "commonName", value: subject }]);
  certificate.setIssuer([{ name: "commonName", value: issuer }]);
  const altNames = names.map((name) =>
    /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
  );
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    ...(altNames.length > 0 ? [{ name: "subjectAltName", altNames }] : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(by), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

const pem = (key: KeyObject) => key.export({ type: "pkcs1", format: "pem" }).toString();
