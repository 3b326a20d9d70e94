export { createExcerpt, stripCode } from "./passages/load-units.ts";
export { type PreparedRecall, prepareRecall } from "./prepare-recall.ts";
export { itemOfWords, mayBeWords, recall, requestOfWords } from "./recall.ts";
export { whyNot } from "./why-not.ts";
