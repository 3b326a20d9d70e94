import { StatementClassifier } from "./classifier/statement-classifier.ts";
import { CompiledRules } from "./rules/compiled-rules.ts";

/** What tells sentences apart. Costs some milliseconds: one for all that a session says. */
export class Judges {
  readonly rules = new CompiledRules();
  #classifier: StatementClassifier | undefined;

  get classifier(): StatementClassifier {
    this.#classifier ??= new StatementClassifier();
    return this.#classifier;
  }
}
