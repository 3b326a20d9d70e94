export { codeInBlocks } from "./draw-code.ts";
export { KeptPhones, type PhoneRecord } from "./kept-phones.ts";
export type { DoorWatch, PhoneSettings, WaitingInMemory } from "./phone-door.ts";
export { addPhonesRoutes, isPhonesPath } from "./phone-routes.ts";
export { type PairingLink, Phones } from "./phones.ts";
