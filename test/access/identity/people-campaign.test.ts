// @module-tag long: three servers are killed and cut off while people join and leave.
import { expect, it } from "vitest";
import { patiently } from "../../support/patiently.ts";
import { describeOnPostgres } from "../../support/postgres/postgres-place.ts";
import { GOOD_REPORT, PeopleCampaign } from "./campaign/campaign.ts";

/** One of each way in which a right ends. */
const ROUNDS = 5;

describeOnPostgres("three servers on one PostgreSQL while people join and leave", () => {
  it(
    "lose nothing that was acknowledged, and let in nobody whose right was taken away",
    async () => {
      const campaign = await PeopleCampaign.start();
      const report = await campaign.play(ROUNDS);
      expect(report).toMatchObject({ ...GOOD_REPORT, ended: ROUNDS });
      expect(report.acknowledged).toBeGreaterThanOrEqual(ROUNDS * 3);
    },
    patiently(180_000),
  );
});
