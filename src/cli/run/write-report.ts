import type { NightReport } from "../../agent/index.ts";
import type { Unattended } from "../../app/index.ts";
import type { CommandLine } from "../command-line.ts";

/** Writes the report to the folder of the run, shows it, and returns the path of its file. */
export async function writeReport(
  { dataDir }: Pick<Unattended["config"], "dataDir">,
  report: NightReport,
  line: CommandLine,
  { json }: Readonly<Record<string, unknown>>,
): Promise<string> {
  const [{ findNight, reportAsMarkdown }, { default: writeFileAtomic }] = await Promise.all([
    import("../../agent/index.ts"),
    import("write-file-atomic"),
  ]);
  const path = findNight(dataDir, report.project, report.run).report;
  const text = reportAsMarkdown(report);
  await writeFileAtomic(path, text, { mode: 0o600 });
  line.stdout.write(json === true ? `${JSON.stringify(report)}\n` : text);
  if (json !== true) line.stderr.write(`cairn: the report is kept in ${path}\n`);
  return path;
}
