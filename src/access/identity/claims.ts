import { CairnError } from "../../shared/errors.ts";
import { toWellFormedText } from "../../shared/text.ts";

export interface Claims {
  readonly subject: string;
  readonly userName: string;
  readonly displayName: string | undefined;
  readonly groups: readonly string[];
}

interface ClaimNames {
  readonly nameClaim: string;
  readonly groupsClaim: string;
}

const MAX_GROUPS = 1_000;

/**
 * Reads verified claims; some providers send numbers and booleans as text. Throws forbidden if the
 * name is missing, if the address is unverified, or if groups are linked instead of listed, as for
 * accounts in many groups: a long list must not change anyone's rights.
 */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  { nameClaim, groupsClaim }: ClaimNames,
): Claims {
  const { iss, name, email_verified: verified } = claims;
  const sub = asText(claims.sub);
  const userName = asText(claims[nameClaim]);
  if (typeof iss !== "string" || sub === undefined || userName === undefined) {
    throw rejectedLogin(
      `the provider sends no claim "${nameClaim}" for this account (identity.nameClaim)`,
    );
  }
  if (userName.trim() === "") throw rejectedLogin(`the claim "${nameClaim}" is empty`);
  if (nameClaim === "email" && isFalse(verified)) {
    throw rejectedLogin("the provider has not verified the address of this account");
  }
  return {
    subject: `${iss}\n${sub}`,
    userName: toWellFormedText(userName),
    displayName: typeof name === "string" ? toWellFormedText(name) : undefined,
    groups: readGroups(claims, groupsClaim),
  };
}

function readGroups(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] {
  const listed = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (listed === undefined || listed === null) {
    if (isLinkedGroup(claims, claim)) {
      throw rejectedLogin(
        `the account is in more groups than the provider lists in the claim "${claim}"; configure the provider to send only the groups assigned to cairn, or roles (identity.groupsClaim)`,
      );
    }
    return [];
  }
  const all = Array.isArray(listed) ? listed : [listed];
  const names = all.flatMap((group) => asText(group) ?? []);
  if (names.length !== all.length) {
    throw rejectedLogin(`the claim "${claim}" must be a list of names (identity.groupsClaim)`);
  }
  if (names.length > MAX_GROUPS) {
    throw rejectedLogin(`the claim "${claim}" lists more than ${MAX_GROUPS} groups`);
  }
  return names.map((group) => toWellFormedText(group));
}

/** OpenID Connect Core 5.6.2: distributed claims; `hasgroups` is Microsoft's short form. */
function isLinkedGroup(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  const linked = claims._claim_names;
  const isNamed = typeof linked === "object" && linked !== null && Object.hasOwn(linked, claim);
  return isNamed || isTrue(claims.hasgroups);
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function isFalse(value: unknown): boolean {
  return value === false || value === 0 || /^(false|0|no)$/i.test(String(value ?? ""));
}

function isTrue(value: unknown): boolean {
  return value === true || /^(true|1)$/i.test(String(value ?? ""));
}

function rejectedLogin(reason: string): CairnError {
  return new CairnError("forbidden", `You cannot log in: ${reason}.`);
}
