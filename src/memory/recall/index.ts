export { itemOfWords, mayBeWords, requestOfWords } from "./item-of-words.ts";
export { excerpt } from "./passages/excerpt.ts";
export { proseOf } from "./passages/settled.ts";
export { type PreparedRecall, prepareRecall } from "./prepare-recall.ts";
export { recall } from "./recall.ts";
export { whyNot } from "./why-not.ts";
