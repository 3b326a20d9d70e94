/**
 * Words that shape a statement and do not tell what it is about, by language: a wording differs in
 * them, not what it says. Verbs of choosing are among them, since every choice has one.
 */
const BY_LANGUAGE = [
  // English
  "a an the this that these those it its we us our you your i my me they their he she to of in on at for from with by as and or but if then so than into over under via per is are was were be been being do does did done has have had will would shall should must may might can could not no never always only now again still just also please instead rather longer any more anymore from use uses used using t s ll re ve don doesn didn isn aren wasn won prefer prefers go goes going went with switch switched switching move moved moving change changed mind minds decide decided decision agree agreed settle settled choose chose chosen pick picked stick drop dropped stop make makes made take takes keep keeps kept run runs set sets let lets right wrong actually correct correction here there everything all every each when where what which who how why because since until after before project team thing things lets ok okay yes sorry said told meant back out up own get gets put",
  // German
  "der die das den dem des ein eine einen einem einer eines dieser diese dieses wir uns unser unsere unserem unseren ich mein meine du dein sie ihr ihre es man zu zum zur von vom in im an am auf für mit bei nach aus über unter als und oder aber wenn dann so dass ist sind war waren sein wird werden wurde haben hat hatte soll sollen sollte muss müssen darf kann können nicht nein kein keine keinen nie niemals immer nur jetzt wieder noch mehr auch bitte statt anstatt stattdessen sondern lieber verwende verwenden verwendet benutze benutzen nutze nutzen nutzt nimm nehmen nimmt entschieden beschlossen überlegt anders geändert meinung falsch stimmt richtig eigentlich doch hier alle alles jede jeder jedes weil da bis vor projekt ab sofort künftig machen macht bleibt bleiben umgestiegen wechseln gewechselt",
  // French
  "le la les l un une des du de d ce cet cette ces il elle on nous notre nos vous votre je j mon ma mes ils à au aux en dans sur sous pour par avec sans et ou mais si que qu qui quoi est sont était être sera a ont avoir avons doit doivent peut pouvons ne n pas non jamais toujours seulement maintenant désormais encore plus aussi plutôt lieu utilise utilisez utilisons utiliser utilisé préfère choisi décidé avons changé avis faux fait ici tout toute tous toutes chaque parce car jusqu avant après projet passe passons passer faut",
  // Spanish
  "el la los las un una unos unas lo al del de este esta estos estas eso nosotros nuestro nuestra yo mi mis tu su sus ellos a en con sin para por sobre y o u pero si que quien es son era ser será está están estar ha han hemos haber debe deben puede podemos no nunca siempre solo sólo ahora ya más también mejor vez lugar usa usar usamos usen utiliza utilizar prefiero decidido cambiado opinión mal falso realidad aquí todo toda todos todas cada porque hasta antes después proyecto pasamos",
  // Italian
  "il lo la i gli le un uno una di del della dei delle dello a al alla ai alle da dal dalla in nel nella con su sul sulla per tra fra e o ma se che chi questo questa questi queste noi nostro nostra io mio tu tuo è sono era essere sarà ha hanno abbiamo avere deve devono può non no mai sempre solo ora adesso più anche meglio invece posto usa usare usiamo usate utilizza preferisco deciso cambiato idea sbagliato realtà qui tutto tutti ogni perché fino prima dopo progetto passiamo",
  // Portuguese
  "o os as um uma uns umas do da dos das no na nos nas ao à com sem para por sobre e ou mas se que quem este esta isso nós nosso nossa eu meu minha você seu sua é são era ser será está estão tem têm temos deve devem pode não nunca sempre só somente agora já mais também melhor vez invés lugar usa usar usamos use utiliza utilizar prefiro decidimos mudamos ideia errado verdade aqui tudo todos cada porque até antes depois projeto passamos",
  // Dutch
  "de het een dit dat deze die wij we ons onze ik mijn jij je jouw uw hij zij ze er te van in op aan voor met bij naar uit over onder als en of maar dan zo is zijn was waren wordt worden heeft hebben moet moeten mag kan kunnen niet nee geen nooit altijd alleen nu weer nog meer ook graag plaats liever gebruik gebruiken gebruikt besloten gekozen veranderd bedacht fout klopt eigenlijk hier alles alle elke omdat tot voor na project",
  // Polish
  "w we z ze na do od dla o po przy przez pod nad i a lub ale jeśli że to ten ta te tego tej tym my nas nasz nasza ja mój ty twój on ona ono oni jest są był była było być będzie mamy ma musi muszą może nie nigdy zawsze tylko teraz już więcej też także proszę zamiast raczej używaj używać używamy użyj zdecydowaliśmy postanowiliśmy zmieniliśmy zdanie źle błąd właściwie tutaj wszystko każdy bo ponieważ aż przed projekt",
  // Chinese and Japanese, as their words are parted
  "我们 我 你 你们 它 的 了 是 在 和 与 或 不 不是 不要 不再 别 用 使用 请 应该 必须 总是 永远 只 现在 改 改为 改成 而 而是 这 这个 那 那个 都 也 就 要 把 被 从 到 以后 今后 决定 错 错了 不对 其实 项目 会 使 使う 使い 使っ 使用 する し ます です ない ください 決め 変え 変更 今後 常に 必ず 間違い 違い 違う 代わり 私 私たち これ それ プロジェクト",
].join(" ");

/** A set a call: whoever compares many texts keeps it. */
export function shapingWords(): ReadonlySet<string> {
  return new Set(BY_LANGUAGE.split(/\s+/));
}
