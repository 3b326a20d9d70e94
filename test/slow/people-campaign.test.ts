import { expect, it } from "vitest";
import { GOOD_REPORT, PeopleCampaign } from "../access/identity/campaign/campaign.ts";
import { describeOnPostgres } from "../support/postgres/postgres-place.ts";

/** `CAIRN_PEOPLE_ROUNDS=200` plays more. */
const ROUNDS = Number(process.env.CAIRN_PEOPLE_ROUNDS ?? 100);

describeOnPostgres("three servers on one PostgreSQL while people join and leave", () => {
  it(`lose nothing and keep no right over ${ROUNDS} rounds of faults`, async () => {
    const campaign = await PeopleCampaign.start();
    const report = await campaign.play(ROUNDS);
    const { oddities, faults, ...figures } = report;
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    expect(report).toMatchObject({ ...GOOD_REPORT, ended: ROUNDS });
    expect({ oddities, faults }).toEqual({ oddities: [], faults: GOOD_REPORT.faults });
  }, 7_200_000);
});
