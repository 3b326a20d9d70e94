/** A stored sentence and a question that it answers. */
type Pair = readonly [answer: string, question: string];

/**
 * Each language covers inflection (three pairs), compounds or unspaced words (two), and an
 * identifier.
 */
export const LANGUAGES: readonly { readonly language: string; readonly pairs: readonly Pair[] }[] =
  [
    {
      language: "German",
      pairs: [
        ["Die Auslieferungen ruhen von Freitagmittag bis Montag.", "Wann ruht die Auslieferung?"],
        ["Wir haben die Zwischenspeicher geleert.", "Wer leerte den Zwischenspeicher?"],
        ["Das Datenbankpasswort wird alle neunzig Tage gewechselt.", "Passwort der Datenbank"],
        ["Der Benutzerverwaltungsdienst läuft auf drei Rechnern.", "Verwaltung der Benutzer"],
        ["Die Häuser am Fluß wurden gestrichen.", "Welches Haus am Fluss wurde gestrichen?"],
        [
          "Die Funktion parseUserConfig bricht bei leeren Dateien ab.",
          "parse user config leere Datei",
        ],
      ],
    },
    {
      language: "Finnish",
      pairs: [
        ["Julkaisut pysäytetään perjantaisin puoliltapäivin.", "Milloin julkaisu pysäytetään?"],
        ["Talossa on kolme huonetta ja sauna.", "Montako huonetta taloissa on?"],
        ["Palvelimen salasanat vaihdetaan joka kuukausi.", "palvelimien salasana"],
        ["Tietokantayhteys katkeaa tunnin jälkeen.", "tietokannan yhteys"],
        ["Käyttäjähallinta siirrettiin uudelle koneelle.", "käyttäjien hallinta"],
        ["Funktio parseUserConfig kaatuu tyhjään tiedostoon.", "parse user config tyhjä tiedosto"],
      ],
    },
    {
      language: "French",
      pairs: [
        ["Les déploiements sont gelés le vendredi à midi.", "Quand le déploiement est-il gelé ?"],
        ["Les journaux sont effacés au bout de trente jours.", "effacer le journal"],
        ["Elle a choisi les couleurs des chevaux de bois.", "couleur du cheval de bois"],
        ["L'authentification à deux facteurs est obligatoire.", "facteur d'authentification"],
        ["Nos sous-traitants livrent le porte-documents mardi.", "sous-traitant porte-document"],
        [
          "La fonction parseUserConfig échoue sur un fichier vide.",
          "parse user config fichiers vides",
        ],
      ],
    },
    {
      language: "Spanish",
      pairs: [
        [
          "Los despliegues se congelan los viernes al mediodía.",
          "¿Cuándo se congela el despliegue?",
        ],
        ["Borramos los registros a los treinta días.", "borrar el registro"],
        ["Las contraseñas de los servidores caducan cada mes.", "contraseña del servidor"],
        ["El camión de la mudanza llegó a las ocho.", "camiones de mudanzas"],
        ["Hay que reiniciarlo después de actualizarlo.", "reiniciar tras actualizar"],
        [
          "La función parseUserConfig falla con archivos vacíos.",
          "parse user config archivo vacío",
        ],
      ],
    },
    {
      language: "Russian",
      pairs: [
        ["Выпуски замораживаются в пятницу в полдень.", "Когда замораживается выпуск?"],
        ["Журналы удаляются через тридцать дней.", "удаление журнала"],
        ["Пароли серверов меняются каждый месяц.", "пароль сервера"],
        ["Подключение к базе данных закрывается через час.", "базы данных подключения"],
        ["Ёлку поставили в большой комнате.", "елка в комнате"],
        ["Функция parseUserConfig падает на пустом файле.", "parse user config пустой файл"],
      ],
    },
    {
      language: "Turkish",
      pairs: [
        ["Yayınlar cuma günü öğlen durduruluyor.", "yayın ne zaman durdurulur"],
        ["Sunucuların parolaları her ay değişiyor.", "sunucu parolası"],
        ["Kayıtları otuz gün sonra siliyoruz.", "kayıt silme"],
        ["Veritabanı bağlantısı bir saat sonra kapanıyor.", "veritabanı bağlantıları"],
        ["Evlerimizde üç oda ve bir İTFAİYE kapısı var.", "evde itfaiye"],
        ["parseUserConfig işlevi boş dosyada çöküyor.", "parse user config boş dosyalar"],
      ],
    },
    {
      language: "Chinese",
      pairs: [
        ["每周五中午开始冻结发布。", "什么时候冻结发布？"],
        ["数据库密码每九十天更换一次。", "数据库的密码多久换"],
        ["日志文件保存三十天后删除。", "删除日志"],
        ["用户管理服务运行在三台机器上。", "管理用户的服务"],
        ["缓存里的条目十分钟后过期。", "缓存过期"],
        ["函数parseUserConfig遇到空文件会崩溃。", "parse user config 空文件"],
      ],
    },
    {
      language: "Japanese",
      pairs: [
        ["リリースは金曜日の正午に凍結されます。", "リリースを凍結するのはいつ？"],
        ["データベースのパスワードは九十日ごとに変更します。", "データベースパスワードの変更"],
        ["ログは三十日後に削除される。", "ログを削除した"],
        ["ユーザー管理サービスは三台で動いている。", "ユーザーの管理"],
        ["キャッシュの有効期限は十分です。", "ｷｬｯｼｭ 期限"],
        ["関数parseUserConfigは空のファイルで落ちる。", "parse user config 空ファイル"],
      ],
    },
    {
      language: "Korean",
      pairs: [
        ["배포는 금요일 정오에 동결됩니다.", "배포를 언제 동결하나요?"],
        ["데이터베이스 비밀번호는 구십 일마다 바꿉니다.", "데이터베이스의 비밀번호"],
        ["로그는 삼십 일 뒤에 삭제된다.", "로그를 삭제"],
        ["사용자 관리 서비스는 서버 세 대에서 돈다.", "사용자를 관리하는 서버"],
        ["캐시에 있는 항목은 십 분 뒤에 만료된다.", "캐시 만료"],
        ["parseUserConfig 함수는 빈 파일에서 죽는다.", "parse user config 파일"],
      ],
    },
    {
      language: "Thai",
      pairs: [
        ["เราหยุดปล่อยรุ่นใหม่ทุกวันศุกร์ตอนเที่ยง", "หยุดปล่อยรุ่นใหม่เมื่อไร"],
        ["รหัสผ่านฐานข้อมูลเปลี่ยนทุกเก้าสิบวัน", "เปลี่ยนรหัสผ่าน"],
        ["บันทึกจะถูกลบหลังจากสามสิบวัน", "ลบบันทึก"],
        ["บริการจัดการผู้ใช้ทำงานบนสามเครื่อง", "จัดการผู้ใช้"],
        ["รายการในแคชหมดอายุในสิบนาที", "แคชหมดอายุ"],
        ["ฟังก์ชัน parseUserConfig ล้มเหลวกับไฟล์ว่าง", "parse user config ไฟล์"],
      ],
    },
  ];
