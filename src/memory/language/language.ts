/**
 * A natural language: function words and patterns for statements about rules and decisions.
 * Patterns are sources of case-insensitive regular expressions that match whole words, or anywhere
 * in languages without spaces. Unlisted languages are compared by words alone and have no
 * pattern-based learning.
 */
export interface Language {
  readonly code: string;
  readonly hasSpaces: boolean;
  readonly functionWords: string;
  readonly reasons: readonly string[];
  /** Words that reject the following word: "not", "instead of". */
  readonly negations: readonly string[];
  /** Negations of a language without spaces; the first group is the rejected word. */
  readonly negated: readonly string[];
  readonly afterNegation: string;
  /** Phrases that announce a new rule. */
  readonly amendments: readonly string[];
  /** Phrases that state a change; also match statements about other changes. */
  readonly changes: readonly string[];
  /** States that something is no longer used; the first group names it. */
  readonly dropped: readonly string[];
  readonly agreements: readonly string[];
  readonly reservations: string;
  readonly objections: readonly string[];
  readonly preference: readonly string[];
  readonly decision: readonly string[];
  readonly fact: readonly string[];
  readonly correction: readonly string[];
  /** States a replacement; the first group is the replaced thing. */
  readonly rejection: readonly string[];
  readonly retraction: readonly string[];
  /** Begins with a reference to an earlier sentence. */
  readonly dangling: readonly string[];
  /** Ends an earlier statement; the first group, if any, is its subject. */
  readonly ending: readonly string[];
  /** Applies only at this moment. */
  readonly temporary: readonly string[];
  /** A task; matched with a trailing space against the words before a colon. */
  readonly request: readonly string[];
  /** A request to translate, reword or explain text. */
  readonly material: readonly string[];
  readonly trouble: readonly string[];
  /** A hypothesis or question rather than a statement. */
  readonly supposing: readonly string[];
  readonly reporting: readonly string[];
}

export type LanguagePart = {
  [Part in keyof Language]: Language[Part] extends readonly string[] ? Part : never;
}[keyof Language];

export const japanese: Language = {
  code: "ja",
  hasSpaces: false,
  functionWords:
    "使う 使い 使っ する し ます です ない ください 決め 変え 変更 今後 常に 必ず 間違い 違い 違う 代わり 私 私たち これ それ プロジェクト 使用",
  reasons: [],
  negations: [],
  negated: ["([\\p{L}\\p{N}._-]+?)\\s*(?:じゃなく|ではなく|の代わりに|をやめ)"],
  afterNegation: "",
  amendments: ["代わりに|ではなく"],
  dropped: ["([\\p{L}\\p{N}._-]+?)(?:は|を|が)(?:廃止|使わなく|使うのをやめ)"],
  changes: ["もう.{1,20}(?:ない|ません)|今後|これからは|に変更|に移行|に切り替え|廃止"],
  agreements: ["^(?:はい|そうです|その通り|了解|いいね|良い|よし|お願いします|OK|それで)"],
  reservations: "ただし でも だけ",
  objections: ["違(?:う|い)|じゃなく|ではなく|やっぱり|間違"],
  preference: [
    "今後は|これからは|以後は|以降は必ず|原則として",
    "(?:常に|必ず|いつも|絶対に|決して|一切).{1,40}(?:してください|しないでください|すること|しないこと|使うこと|使ってください|確認してください)",
    "(?:てはいけない|てはいけません|てはならない|は禁止|は必須です)",
    "(?:ではなく|じゃなくて|の代わりに).{1,30}を?(?:使ってください|使用してください|使うこと)",
  ],
  decision: [
    "ことに(?:した|しました|決めた|決めました|決まりました)|に決めた|に決めました|に決定しました|合意しました|を採用(?:した|しました|します)|に移行(?:した|しました)|に切り替え(?:た|ました)|に統一(?:した|しました|します)",
    "気が変わ|方針を変更|方針変更",
  ],
  fact: [
    "^.{1,30}では.{1,30}を使って(?:いる|います)。?$",
    "^.{1,30}は(?:ポート)?\\d+.{0,10}です。?$",
  ],
  correction: [
    "^(?:いや|いいえ|違います|違う|ちがう|間違い|待って|実は|訂正|というか)",
    "(?:間違って|間違い(?:です|だ)|正しくない|正しくありません|ではなく|じゃなくて|ではありません|もう.{1,20}(?:ない|ません)|の代わりに|代わりに|に変更|気が変わ|考え直し|古い情報)",
  ],
  rejection: [
    "([^、。，,\\s]{1,20}?)(?:ではなく|じゃなくて|の代わりに|ではありません|でなく)",
    "([^、。，,\\s]{1,20}?)(?:は|を)(?:使わない|やめ|廃止)",
    "([^、。，,\\s]{1,20}?)から[^、。，,]{1,20}(?:に移行|に変更|に切り替え)",
  ],
  ending: [
    "(.{2,40}?)(?:について|に関して)言ったことは忘れて",
    "もう(.{2,40}?)(?:しなくていい|する必要はない|しなくて大丈夫)",
    "^(.{2,40}?)(?:は|が)(?:解除|撤回|廃止)され",
    "^(.{2,40}?)(?:は|が).{1,20}に(?:引き上げ|変更|延長|短縮)(?:られ|され)",
    "もう(?:正しくない|当てはまらない)",
  ],
  dangling: ["^(?:それ|これ|あれ)"],
  retraction: ["^(?:いや|いいえ|違う|違います|訂正|やっぱり)", "気が変わ|方針変更|方針を変更"],
  temporary: [
    "(?:今は|とりあえず|ひとまず|一旦|いったん|今日(?!から|以降|.{0,30}(?:決まり|決まっ|決め|決定))|明日|今回|今のところ|当面|しばらく|あとで|後で|まだ|この(?:ブランチ|コミット|PR|デモ)|デモ用|今週|続けて|気にしないで|ちょっと)",
    "(?:案|オプション|番号|選択肢)\\s?(?:\\d|[一二三ABab１２３])",
    "(?:最初|二番目|最後|[一二三]つ目)の(?:案|方|もの)",
    "見たことが?(?:ない|ありません)",
  ],
  request: [
    "(?:を追加|を実装|を修正|を作って|を作成|を削除|を調べ|を見て|を直|直して|調べて|見てください|書き出せる|欲しい|に移して|に分け|に上げて|置き換え|名前を.{1,20}変え|付けて|書いて(?!.{0,10}(?:ない|いけ))|リファクタリング|そろえて|変更して|外して|教えて|起動して|順にして|できるように|動くように|翻訳|要約|返信)",
  ],
  material: ["(?:翻訳|和訳|英訳|要約|校正|言い換え|添削)して|どういう意味"],
  trouble: [
    "(?:間違って|おかしい|真っ白|空になり|エラー|失敗し|落ち|タイムアウト|重い|重く|遅い|遅く|反応し(?:ない|ません)|消え|出ません|出てきません|ありません|届き?ません|届かない|二回|二重|ずれ|重なり|赤い|リーク|動いていません|動きません|戻って|(?:Type|Value|Key|Reference)Error)",
    "(?:出ます|起きます|かかります|かかっています|かかりました|と言われ)",
  ],
  supposing: [
    "(?:もし|たら(?:どう|いい)|かもしれ|でしょうか|ますか|ですか|だろうか|べきか|どうか|どう思|仮に|と思います|と思う|検討|たぶん|おそらく|かな$)",
    "^(?:なぜ|どうして|どう|何|どの|どこ|いつ|誰)",
  ],
  reporting: [
    "(?:と(?:言って|言った|書いて|書かれて|ある|あります|述べ|主張|いう記事)|によると|によれば|には.{1,30}と)",
  ],
};

export const chinese: Language = {
  code: "zh",
  hasSpaces: false,
  functionWords:
    "我们 我 你 你们 它 的 了 是 在 和 与 或 不 不是 不要 不再 别 用 使用 请 应该 必须 总是 永远 只 现在 改 改为 改成 而 而是 这 这个 那 那个 都 也 就 要 把 被 从 到 以后 今后 决定 错 错了 不对 其实 项目 会 使",
  reasons: [],
  negations: [],
  negated: ["(?:而不是|不要用|不用|不再用|不再使用|别用|取代|代替)\\s*([\\p{L}\\p{N}._-]+)"],
  afterNegation: "",
  amendments: ["不再|改为|改成|取代"],
  dropped: ["(?:不再(?:使用|用)?|停用|弃用)([A-Za-z0-9._-]+)"],
  changes: ["现在|不再|改为|改成|取代|换成|迁移到|已(?:删除|废弃|停用)"],
  agreements: ["^(?:是的|对|好的|没错|可以|同意|就这样|完美|行|嗯)"],
  reservations: "但 不过 除了",
  objections: ["^(?:不对|不是|不要|错了|别|其实)|而不是|应该"],
  preference: [
    "从现在(?:起|开始)|从今以后|今后(?:都|请|一律)",
    "^(?:请)?(?:始终|总是|一律|务必|永远不要|绝不|绝对不要).{2,}",
    "(?:只能|一律|统一)(?:使用|用).{1,30}",
    "(?:使用|用).{1,20}(?:而不是|代替).{1,20}",
    "(?:不允许|禁止)(?:使用|修改|提交|直接).{1,}",
  ],
  decision: [
    "(?:我们|团队)(?:已经?|最终|最后)?(?:决定|商定|选定|敲定|约定)",
    "我们(?:改用|切换到|迁移到)(?!什么|哪).{1,30}",
    "改变(?:了)?主意|改主意",
  ],
  fact: [
    "^.{1,20}(?:里|中|上)?我们(?:使用|用的是).{1,30}[。]?$",
    "^.{1,20}(?:的端口|端口|上限|超时)(?:是|为)\\d+.{0,8}$",
  ],
  correction: [
    "^(?:不对|不，|不是|错了|等等|其实|更正|纠正|实际上|不不|不。)",
    "(?:(?:这|那)(?:是|不)(?:错|对)|说错|搞错|有误|过时|不再|而不是|改变(?:了)?主意|改主意|改为|改成|改用|取代|代替|已经不)",
    "，(?:而)?不是",
  ],
  rejection: [
    "(?:而不是|，不是|代替|取代|不再(?:使用|用|是)?|，不要(?:用|使用)?|，别用|别用|不要用|不要使用)([^，。；！？,.]{1,20})",
    "从([^，。]{1,15}?)(?:改为|改成|换成|迁移到|切换到)",
  ],
  ending: [
    "忘(?:了|记|掉)我(?:之前|刚才)?(?:关于|说的)?(.{1,30}?)(?:的话|说的话)",
    "不(?:用|需要|必)再(.{2,40})",
    "^(.{2,40}?)(?:已经?)?(?:解除|取消|作废|废止)了",
    "^(.{2,40}?)(?:已经?)?(?:提高|增加|降低|改|延长|缩短)(?:到|为|成)",
    "(?:这|那)(?:已经)?不(?:再)?(?:对|成立|有效)了",
  ],
  dangling: ["^(?:这|那|它)"],
  retraction: ["^(?:不对|不，|错了|更正|其实)", "改变(?:了)?主意|改主意"],
  temporary: [
    "(?:先(?:别|不|跳过|这样|用)|暂时|目前|现在先|(?<!从)今天(?!起|开始|.{0,4}(?:决定|商定|定下))|明天|这次|这一次|待会|稍后|以后再|回头再|还没|本次|这个(?:分支|提交|演示|PR)|演示用|这周|继续|算了|没关系|马上|一会儿|临时)",
    "(?:方案|选项|第)\\s?(?:\\d|[一二三AB])(?:个|种|项)?",
    "从(?:来)?没(?:有)?(?:见|听|遇)",
  ],
  request: [
    "^(?:请|帮我|然后|接下来|现在|麻烦)?(?:给.{1,20}(?:加|写)|在.{1,20}加|加一?个|写一?个|实现|修一?下|重构|把.{1,30}(?:改|移|拆|去掉|换|升|重构|删)|做一?个|让|查一?下|看一?下|启动|生成|翻译|润色|改写|总结|回复|解释|我需要一个|我想(?:看|在))",
  ],
  material: [
    "翻译(?:成|为|一下|这|下面|以下)|(?:润色|改写|校对|总结|概括|解释)(?:一下)?(?:这|下面|以下|上面)|是什么意思",
  ],
  trouble: [
    "(?:错了|不对|空白|是空的|没反应|报错|失败|超时|慢|卡|少了|两次|找不到|没有(?:跑|到)|挡住|跳回|崩溃|泄漏|抛|内存|差了一|占用)",
    "(?:出现`|客户说|用户说|从今天|升级.{1,20}之后)",
  ],
  supposing: [
    "^(?:也许|或许|如果|要是|假如|假设|是否|要不要|为什么|怎么|如何|什么|哪|谁|能不能|可不可以|我们应该.{0,20}吗)",
    "(?:也许|或许|可能|大概|我在想|不确定|理论上|吗$|呢$|吗？|呢？|觉得|考虑|要不)",
  ],
  reporting: [
    "(?:说(?:要|过|：|，|应该|必须|总是|始终)|写(?:着|道)|称|声称|建议|根据|按照.{1,10}文档|文档(?:里|中)?(?:说|写|要求))",
  ],
};

export const polish: Language = {
  code: "pl",
  hasSpaces: true,
  functionWords:
    "w we z ze na do od dla o po przy przez pod nad i a lub ale jeśli że to ten ta te tego tej tym my nas nasz nasza ja mój ty twój on ona ono oni jest są był była było być będzie mamy ma musi muszą może nie nigdy zawsze tylko teraz już więcej też także proszę zamiast raczej używaj używać używamy użyj zdecydowaliśmy postanowiliśmy zmieniliśmy zdanie źle błąd właściwie tutaj wszystko każdy bo ponieważ aż przed projekt",
  reasons: ["ponieważ", "gdyż"],
  negations: ["zamiast", "nie", "nigdy"],
  negated: [],
  afterNegation: "",
  amendments: ["zamiast|już nie|od teraz"],
  dropped: ["(?:żadn\\w+ więcej|koniec z) (\\S+)", "(\\S+) już nie używamy"],
  changes: ["teraz|już nie|od teraz|zmienion\\w*|zastąpi\\w*|przeszliśmy"],
  agreements: ["^(?:tak|dokładnie|zgadza się|zgoda|dobrze|świetnie|ok|jasne|właśnie|pewnie)"],
  reservations: "ale oprócz tylko",
  objections: ["^(?:nie|źle|właściwie|to nie)", "zamiast"],
  preference: [
    "od teraz|od tej pory|odtąd|z zasady",
    "^(?:(?:proszę|i|a|ale|nie|ok),? )*(?:zawsze|nigdy nie|nigdy) \\p{L}+",
    "(?:musi|muszą|powinien|powinna|powinno|powinny) (?:zawsze|być zawsze|tylko)|nie wolno|nigdy nie (?:powinien|powinna|powinno|może)",
    "wolę (?!pierwsz|drug|to|ten|tę)",
    "^(?:używaj|użyj) .{2,40} zamiast ",
  ],
  decision: [
    "(?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy|uzgodniliśmy|zespół (?:zdecydował|postanowił))",
    "przeszliśmy na|przechodzimy na|zostajemy przy|rezygnujemy z|będziemy używać",
    "zmieni(?:liśmy|łem|łam) zdanie",
    "nie (?:może|mogą|powinien|powinna|powinno|powinny) ",
  ],
  fact: ["^(?:w|dla|na) .{2,40}używamy "],
  correction: [
    "^(?:nie|źle|błąd|czekaj|właściwie|poprawka|jednak|nieprawda)(?: nie)?[,.!:;—–]",
    "^(?:właściwie|jednak|w rzeczywistości|czekaj)",
    "(?:to (?:jest )?(?:błędn\\w+|nieprawd\\w+|źle|nieaktualn\\w+)|to nie (?:tak|jest)|już nie|zmieni\\w+ zdanie|zamiast|zastępuj\\w+|, (?:a )?nie .{1,40})",
  ],
  rejection: [
    "(?:zamiast) (.+?)(?=[,;.!?)]|$| (?:do|dla|bo|w|jako|ponieważ|—|–|-) )",
    "(?:, |^)(?:a )?nie (?:w |na |przez )?(.+?)(?=[,;.!?)]|$| (?:ale|lecz|do|dla|bo|w|—|–) )",
    "już nie (?:używamy |jest )?(.+?)(?=[,;.!?)]|$)",
  ],
  ending: [
    "zapomnij,? (?:o tym,? )?co (?:mówiłem|mówiłam|powiedziałem|powiedziałam) o ([^,.;!]+)",
    "nie musisz już ([^,.;!]+)",
    "^(.{3,80}?) (?:jest|są) (?:już|teraz|znowu) (?:ok|dozwolon\\w+|w porządku)",
    "^(.{3,80}?) (?:został\\w*|jest|są) (?:zniesion\\w+|odwołan\\w+|anulowan\\w+|nieaktualn\\w+)",
    "^(.{3,80}?) (?:został\\w*|jest) (?:zwiększon\\w+|zmniejszon\\w+|podniesion\\w+|zmienion\\w+) do ",
    "to (?:już )?nie(?:prawda| jest już prawda|aktualne)",
  ],
  dangling: ["^(?:(?:i|ale|tak|nie|ok),? )*to (?:jest|nie|było)"],
  retraction: ["^(?:nie|źle|błąd|korekta|właściwie)[,.:;!—–-]", "zmieni(?:liśmy|łem|łam) zdanie"],
  temporary: [
    "(?:na razie|na teraz|chwilowo|(?<!od )teraz|(?<!(?:od|zdecydowaliśmy|postanowiliśmy|ustaliliśmy) )(?:dzisiaj|dziś)(?! (?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy))|jutro|tym razem|tylko (?:ten|tym|teraz)|później|potem|tymczasowo|jeszcze nie|dla tego (?:commita|pr|brancha|demo)|na (?:potrzeby )?demo|w tym tygodniu|nieważne|mniejsza|kontynuuj|dalej|zaraz)",
    "^(?:pozwól|sprawdzę|zacznę|zobaczę|najpierw)",
    "(?:opcj\\w+|wariant|numer|propozycj\\w+) (?:\\d|jeden|dwa|trzy|a|b)\\b",
    "(?:pierwsz\\w+|drug\\w+|trzeci\\w*|ostatni\\w*) (?:opcj\\w+|wariant\\w*|propozycj\\w+)",
    "nigdy (?:tego |takiego )?(?:\\w+ )?(?:nie )?(?:widziałem|widziałam|słyszałem|miałem)",
  ],
  request: [
    "^(?:(?:proszę|ok|i|cześć|teraz|potem|możesz),? )*(?:dodaj|napisz|zaimplementuj|popraw|napraw|zrefaktoryzuj|zmień|usuń|przenieś|podziel|utwórz|zrób|zastąp|podnieś|uruchom|sprawdź|zajrzyj|wygeneruj|pokaż|wyjaśnij|opisz|przetłumacz|podsumuj|odpowiedz|przeredaguj) ",
    "^(?:potrzebuję|chcę|potrzebujemy|chciałbym) ",
  ],
  material: [
    "(?:przetłumacz|przeredaguj|sparafrazuj|podsumuj|popraw|wyjaśnij|skróć)\\w* (?:(?:mi|to|ten|tę|te|mój|moje|następując\\w+|poniższ\\w+) )+(?:zdani\\w+|tekst\\w*|akapit\\w*|wiadomoś\\w+|mail\\w*|reguł\\w+|gramatyk\\w+)",
    "co (?:znaczy|oznacza) ",
    "jak (?:powiedzieć|przetłumaczyć) ",
  ],
  trouble: [
    "ten sam (?:błąd|problem)|(?:nigdy nie|nie) działa",
    "(?:zł[yaą]|źle|pust[yae]|biał[yae]|zepsut[yae]|woln[oy]|brakuje|dwa razy|rzuca|przekracza|nic nie robi|nie znajduje|nie przychodzi|nie uruchomił|znika|zasłania|wraca na górę|kończy się)",
    "(?:zgłaszają|skarżą się|skarży się), że",
    "dostaję",
    "od (?:rana|wczoraj|aktualizacji)",
    "trwała? .{1,30} zamiast",
  ],
  supposing: [
    "^(?:może|a gdyby|gdybyśmy|załóżmy|wyobraź|czy|dlaczego|jak|co|który|która|gdzie|kiedy|kto|po co)(?= )",
    "(?:być może|może|moglibyśmy|mógłby|byłoby|zastanawiam się|nie jestem pew\\w+|teoretycznie|prawdopodobnie|chyba|myślę)",
  ],
  reporting: [
    "(?:mówi|mówił\\w*|pisze|napisał\\w*|twierdzi|zaleca|poleca|według|zgodnie z|stoi)(?= |,)",
  ],
};
