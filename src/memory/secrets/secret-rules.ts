export const SECRET_RULES = ["mask", "refuse", "allow"] as const;
export type SecretRule = (typeof SECRET_RULES)[number];
