import { z } from "zod";
import { withMeta, withTrust } from "../../shared/fields.ts";

/** What is done with what a person alone had, once they have left. */
const LEAVING = ["keep", "bin"] as const;

const address = z
  .string()
  .regex(/^https?:\/\/[^\s?#]+$/, "An address is http(s)://host[:port][/path].");

/** How people log in at `cairn serve` with their company's account. */
export const identitySettings = withTrust(
  z.strictObject({
    url: address
      .optional()
      .describe(
        "Address under which people and clients reach `cairn serve`, as https://memory.example.org.",
      ),
    issuer: address
      .optional()
      .describe(
        "The company's OpenID Connect provider: people log in there, and tokens alone are no longer needed.",
      ),
    clientId: z.string().min(1).optional().describe("What the provider knows cairn by."),
    clientSecret: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("The secret that goes with it; leave it out for a public client."),
    scopes: z
      .array(z.string().min(1))
      .default(["openid", "profile", "email"])
      .describe(
        "What the provider is asked for; `offline_access` lets cairn look again whether a person is still there.",
      ),
    nameClaim: z
      .string()
      .min(1)
      .default("email")
      .describe("Claim whose value becomes the person's name, the author of what they write."),
    groupsClaim: z
      .string()
      .min(1)
      .default("groups")
      .describe("Claim that lists a person's groups."),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Access tokens that the provider made for this audience are taken as they are; default: none.",
      ),
    accessMinutes: z
      .number()
      .int()
      .min(1)
      .max(1440)
      .default(60)
      .describe("How long an access token of a client is good for; then it is renewed."),
    sessionDays: z
      .number()
      .int()
      .min(1)
      .max(365)
      .default(30)
      .describe("After so many days a person logs in again, whatever the client renews."),
    scimToken: withMeta(
      z.string().regex(/^[\x21-\x7e]{20,}$/, "A token is 20 or more visible ASCII characters."),
      {
        secret: true,
      },
    )
      .optional()
      .describe(
        "Token with which the company's directory tells over SCIM who joins and leaves; then nobody else comes in.",
      ),
    leaving: z
      .enum(LEAVING)
      .default("keep")
      .describe("What happens to the own database of who left: it is kept, or goes into the bin."),
  }),
  {
    url: "trusted",
    issuer: "trusted",
    clientId: "trusted",
    clientSecret: "trusted",
    scopes: "trusted",
    nameClaim: "trusted",
    groupsClaim: "trusted",
    audience: "trusted",
    accessMinutes: "trusted",
    sessionDays: "trusted",
    scimToken: "trusted",
    leaving: "trusted",
  },
);

export type IdentitySettings = z.output<typeof identitySettings>;
