/** How people begin when they object to something, in the supported languages. */
const AGAINST: readonly RegExp[] = [
  /^(?:no|nope|not|wrong|actually|don't|do not|stop|instead|hmm,? no|that's (?:wrong|not)|this is (?:wrong|not))\b/i,
  /\b(?:instead of|rather than|not what|should(?:n't| not| have| be)|i said|as i said|revert that)\b/i,
  /^(?:nein|nee|nicht|falsch|stimmt nicht|doch|so nicht)\b|\b(?:statt|anstatt|sondern|lieber)\b/i,
  /^(?:non|pas|faux|en fait)(?![\p{L}])|\b(?:au lieu de|plutôt que)\b/iu,
  /^(?:no|mal|está mal|así no|en realidad|falso)(?![\p{L}])|(?:en vez de|en lugar de)\b/iu,
  /^(?:non|sbagliato|no|così no|veramente|in realtà)(?![\p{L}])|\binvece (?:di|che)\b/iu,
  /^(?:não|errado|na verdade|assim não)(?![\p{L}])|\b(?:em vez de|ao invés de)(?![\p{L}])/iu,
  /^(?:nee|fout|niet|eigenlijk)\b|\bin plaats van\b/i,
  /^(?:nie|źle|właściwie|to nie)(?![\p{L}])|(?:zamiast)(?![\p{L}])/iu,
  /違(?:う|い)|じゃなく|ではなく|やっぱり|間違/u,
  /^(?:不对|不是|不要|错了|别|其实)|而不是|应该/u,
];

/** Whether a message objects to what was just done. */
export function speaksAgainst(message: string): boolean {
  return AGAINST.some((form) => form.test(message.trim()));
}
