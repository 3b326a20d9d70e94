import { isStopWord } from "../search/query-words.ts";

/** Words of prompts that only continue the current work: assent, "go on", "run the tests". */
const WORDS = new Set(
  `
  yes yep yeah yup ok okay k sure good fine great right correct perfect nice cool thanks thank thx please pls looks look
  lgtm continue continues go going ahead proceed carry keep next again now start resume try step steps more once run rerun execute
  test tests suite build lint linter check checks typecheck everything all let lets us me just then also still ship done
  ja jawohl jo gut genau richtig passt danke bitte super prima weiter weitermachen mach mache machen fortfahren fahr fahre
  fort geh gehe los leg lege starte start führe führ aus lass lasse laufen nochmal noch mal einmal wieder erneut jetzt
  nächste nächsten nächster schritt mit damit dem dann so das die den der es sieht alles und nun doch teste prüfe baue
  oui ouais d accord vas va y allez continue continuez poursuis poursuivez s il te vous plaît plait merci bien bon c est
  parfait lance lancez relance relancez étape suivante passe passez à au aux exécute exécutez les le la des maintenant encore une fois ça avec tout suite
  sí si vale bueno bien de acuerdo claro gracias por favor continúa continua continúe sigue siga adelante hazlo haz dale
  ejecuta ejecute corre corra lanza las los el pruebas prueba siguiente paso al otra vez ahora eso con ve se todo así perfecto
  sim certo claro beleza obrigado obrigada favor continue continua segue siga seguir pode prossiga execute executa rode roda
  rodar próximo passo ao os as testes teste de novo agora isso com tudo parece bom bem
  sì certo va bene ok perfetto grazie per favore continua continui prosegui procedi pure vai avanti esegui lancia rilancia
  fai i gli test ancora una volta prossimo passo al adesso ora con così tutto
  ja goed prima precies dank je bedankt alsjeblieft alstublieft ga door verder doorgaan doe maar voer de het uit draai start
  tests testen nog een keer volgende stap naar opnieuw nu daar daarmee mee ziet er alles
  tak dobrze dobra jasne świetnie dzięki dziękuję proszę kontynuuj dalej śmiało idź uruchom puść odpal testy test jeszcze
  raz ponownie następny krok do teraz to z tym wygląda wszystko
  да ага ок окей хорошо ладно верно отлично спасибо пожалуйста продолжай продолжайте продолжить дальше давай давайте вперёд
  вперед запусти запустите прогони выполни тесты тест ещё еще раз следующий шаг к снова сейчас теперь это с этим выглядит всё все
  evet tamam olur güzel iyi doğru harika teşekkürler lütfen devam et edin edelim hadi haydi başla çalıştır testleri test
  tekrar sonraki adım adıma geç yeniden bir daha şimdi bunu bununla görünüyor hepsi
  kyllä joo hyvä selvä kiitos jatka jatketaan eteenpäin vain aja suorita testit uudelleen uudestaan seuraava vaihe seuraavaan vaiheeseen siirry nyt näyttää hyvältä
  `
    .trim()
    .split(/\s+/),
);

const UNSPACED = [
  "好的 好 是的 是 对 可以 行 谢谢 请 继续 接着 开始 下一步 运行 跑 执行 测试 一次 一下 再 重新 现在 看起来 不错 吧 了 的 做 来 全部",
  "はい うん ええ 了解 大丈夫 良さそう よさそう いい 良い お願いします お願い ください 下さい どうぞ そのまま 続けて 続き 続行 ステップ 進めて 進んで 次へ 次 テスト 実行 もう一度 もう 一度 再 走らせて 回して やって して 今 では じゃあ ありがとう を の に へ は が も で です ます ね よ",
  "네 예 응 좋아요 좋아 좋습니다 알겠어 알겠습니다 맞아요 맞아 감사합니다 고마워 계속해줘 계속해주세요 계속해 계속 진행해줘 진행해주세요 진행해 진행 다음 단계로 다음 단계 다시 한번 한 번 테스트를 테스트 실행해줘 실행해주세요 실행해 실행 돌려줘 돌려 지금 그럼 주세요 줘 이대로",
]
  .flatMap((words) => words.split(" "))
  .sort((a, b) => b.length - a.length);

const RUN = /[\p{L}\p{M}]+/gu;

/** Returns true for prompts without a new topic: "continue", "run the tests again". */
export function isContinuationPrompt(prompt: string): boolean {
  return (prompt.toLowerCase().match(RUN) ?? []).every(
    (word) => WORDS.has(word) || isStopWord(word) || containsOnlyFillers(word),
  );
}

function containsOnlyFillers(run: string): boolean {
  let left = run;
  for (const word of UNSPACED) left = left.replaceAll(word, "");
  return left === "";
}
