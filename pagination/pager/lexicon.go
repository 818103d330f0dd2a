package pager

import "unicode/utf8"

// A sense is what one word says about where a link leads.
type sense uint16

const (
	senseNext sense = 1 << iota
	sensePrev
	senseFirst
	senseLast
	senseOlder
	senseNewer
	senseMore // load more
	senseAll  // everything on one page
	senseItem // the next article, not the next page of articles
	senseBoth // an article or articles: the next one, but older ones
	sensePage // the word for a page
	senseFill // words that change nothing: go, to, posts, entries
	senseOf   // parts the number of a page from the number of pages
)

// senseOfWord returns what a word in lower case says, 0 if it is unknown.
// Languages share one table: a word that says next in one and something else
// in another stands here only if pagers use it in the first sense.
func senseOfWord(w []byte) sense {
	switch string(w) {
	case "next", "nxt", "continue", "continued", "forward", "forwards", "fwd", // English
		"suivant", "suivante", "suiv", "suivants", "suivantes", // French
		"siguiente", "siguientes", "sig", "adelante", // Spanish
		"próxima", "próximo", "próximas", "próximos", "proxima", "proximo", "seguinte", "seguintes", "avançar", // Portuguese
		"successiva", "successivo", "successive", "successivi", "avanti", "prossima", "prossimo", "seguente", // Italian
		"weiter", "nächste", "nächster", "nächstes", "nächsten", "naechste", "vorwärts", "folgend", "vor", "folgende", // German
		"volgende", "verder", // Dutch
		"nästa", "nasta", "framåt", // Swedish
		"neste", "næste", "fremad", "frem", // Norwegian, Danish
		"seuraava", "seuraavat", "seuraavalle", "eteenpäin", // Finnish
		"næsta", "áfram", // Icelandic
		"następna", "następne", "następny", "nastepna", "nastepny", "następnego", "nast", "następną", "dalej", "kolejna", "kolejne", // Polish
		"další", "dalsi", "následujících", "dalších", "dále", "následující", "vpřed", // Czech
		"ďalšia", "ďalšie", "ďalší", "nasledujúca", "ďalej", "nasledujúce", // Slovak
		"következő", "kovetkezo", "tovább", "előre", // Hungarian
		"sonraki", "ileri", "sonrakiler", // Turkish
		"növbəti", "sonrakı", // Azerbaijani
		"следующая", "следующий", "следующие", "следующее", "следующую", "след", "следующей", "следующих", "вперед", "вперёд", "далее", "дальше", // Russian
		"наступна", "наступний", "наступні", "далі", "наступних", "наст", "наступну", "наступної", // Ukrainian
		"наступная", "далей", // Belarusian
		"следваща", "следващ", "следващи", "напред", // Bulgarian
		"следећа", "следеће", "следећи", "следна", "следно", "sledeća", "sledeće", "sledeći", "sljedeća", "sljedeće", "sljedeći", // Serbian, Macedonian, Croatian
		"naslednja", "naslednji", "naprej", "dalje", // Slovenian
		"următoarea", "următorul", "următor", "următoarele", "urmatoarele", "următoare", "urmatoarea", "urmatorul", "înainte", "inainte", // Romanian
		"següent", "següents", "seguents", "endavant", // Catalan
		"hurrengoa", "hurrengo", // Basque
		"επόμενη", "επόμενο", "επόμενα", "επόμενες", "επομενη", "επόμενοι", "επομενο", "επόμενης", // Greek
		"järgmine", "edasi", // Estonian
		"nākamā", "nākamais", "tālāk", // Latvian
		"kitas", "kita", "toliau", "sekantis", "sekanti", "pirmyn", // Lithuanian
		"tjetra", "tjetër", // Albanian
		"التالي", "التالية", "تالي", "القادم", "القادمة", "التالى", // Arabic
		"بعدی", "بعد", "بعدي", // Persian
		"اگلا", "اگلے", "اگلی", // Urdu
		"הבא", "הבאה", "הבאים", "קדימה", // Hebrew
		"अगला", "अगले", "अगली", "आगे", "पुढील", "पुढे", "अर्को", // Hindi, Marathi, Nepali
		"পরবর্তী", "পরের", // Bengali
		"அடுத்த", "அடுத்தது", "తదుపరి", "తరువాత", "ಮುಂದಿನ", "ಮುಂದೆ", "അടുത്ത", "അടുത്തത്", // Tamil, Telugu, Kannada, Malayalam
		"આગળ", "ਅੱਗੇ", "ਅਗਲਾ", "ඊළඟ", // Gujarati, Punjabi, Sinhala
		"tiếp", "sau", "tiep", // Vietnamese
		"selanjutnya", "berikutnya", "lanjut", "seterusnya", "berikut", // Indonesian, Malay
		"susunod",             // Filipino
		"inayofuata", "ijayo", // Swahili
		"다음", "다음글목록", "다음페이지", "다음으로", "다음목록", // Korean
		"შემდეგი", "հաջորդ", "հաջորդը", "келесі", "кейінгі", "кийинки", "keyingi", "дараах", "дараагийн": // Georgian, Armenian, Kazakh, Kyrgyz, Uzbek, Mongolian
		return senseNext
	case "prev", "previous", "previously", "back", "prv", "backward", "preceding", "backwards",
		"préc", "précédent", "précédente", "précédents", "précédentes", "precedent", "precedente", "precedenti",
		"anterior", "anteriores", "ant", "atrás", "atras",
		"voltar", "indietro",
		"zurück", "zurueck", "rückwärts", "vorhergehende", "vorherige", "vorheriger", "vorheriges", "vorherigen", "vorige", "voriger",
		"terug",
		"föregående", "bakåt", "tillbaka",
		"forrige", "tilbake", "tilbage", "foregående",
		"edellinen", "edelliset", "edelliselle", "takaisin",
		"fyrri", "fyrra",
		"poprzednia", "poprzednie", "poprzedni", "wstecz", "poprz", "poprzednią", "poprzedniego",
		"předchozí", "predchozi", "předchozích", "předcházející", "předch", "zpět", "zpet",
		"predchádzajúca", "predchádzajúce", "predošlá", "späť", "predošlé",
		"előző", "elozo", "vissza",
		"önceki", "geri", "öncekiler",
		"əvvəlki",
		"предыдущая", "предыдущий", "предыдущие", "предыдущее", "предыдущую", "пред", "предыд", "предыдущей", "предыдущих", "назад",
		"попередня", "попередній", "попер", "попередню", "попередньої", "попередні",
		"папярэдняя",
		"предишна", "предишен", "предишни",
		"претходна", "претходно", "претходни", "prethodna", "prethodne", "prethodni", "natrag",
		"prejšnja", "prejšnji", "nazaj",
		"anterioara", "anterioară", "anteriorul", "anteriors", "precedenta", "precedentă", "precedentul", "înapoi", "inapoi",
		"enrere", "aurrekoa", "aurreko",
		"προηγούμενη", "προηγούμενο", "προηγούμενα", "προηγούμενες", "προηγουμενη", "προηγουμενο", "προηγούμενης",
		"eelmine", "tagasi",
		"iepriekšējā", "iepriekšējais", "atpakaļ",
		"ankstesnis", "ankstesnė", "atgal",
		"mëparshme", "mëparshmi", "prapa",
		"السابق", "السابقة", "سابق",
		"قبلی", "قبل", "پیش", "قبلي",
		"پچھلا", "پچھلے", "پچھلی",
		"הקודם", "הקודמת", "הקודמים", "קודם", "אחורה",
		"पिछला", "पिछले", "पिछली", "पीछे", "मागील", "मागे", "अघिल्लो",
		"পূর্ববর্তী", "আগের",
		"முந்தைய", "முந்தையது", "మునుపటి", "ಹಿಂದಿನ", "ಹಿಂದೆ", "മുമ്പത്തെ", "മുൻപത്തെ",
		"પાછળ", "પહેલાનું", "ਪਿੱਛੇ", "ਪਿਛਲਾ", "පෙර",
		"trước",
		"sebelumnya", "sebelum", "mundur", "terdahulu",
		"nakaraan", "iliyotangulia", "uliopita",
		"이전", "이전페이지", "이전으로", "이전목록",
		"წინა", "նախորդ", "նախորդը", "алдыңғы", "мурунку", "oldingi", "avvalgi", "өмнөх":
		return sensePrev
	case "first", "erste", "ersten", "première", "premier", "premiere", "primera", "primero", "primeira", "primeiro", "prima", "primo",
		"inicio", "início", "inizio", "début", "anfang", "eerste", "första", "første", "ensimmäinen", "ensimmäiselle", "fyrsta",
		"pierwsza", "pierwszy", "první", "prvá", "prvi", "prva", "első", "ilk", "birinci",
		"первая", "первой", "перв", "первую", "первый", "начало", "перша", "початок", "първа", "прва", "πρώτη", "αρχή", "πρώτο", "primul", "pierwsze",
		"esimene", "pirmā", "pirmas", "pirma", "نخست", "اولین", "الأولى", "الأول", "الاولى", "الاول", "اول", "ابتدا", "ראשון", "ראשונה", "התחלה", "הראשון", "הראשונה",
		"प्रथम", "पहला", "প্রথম", "đầu", "pertama", "awal", "처음", "처음으로", "첫", "첫페이지", "처음페이지", "맨처음", "start", "beginning":
		return senseFirst
	case "last", "letzte", "letzter", "letzten", "dernière", "dernier", "derniere", "última", "último", "ultima", "ultimo", "final", "fin", "fine",
		"laatste", "sista", "viimeiselle", "siste", "sidste", "viimeinen", "síðasta", "ostatnia", "ostatnie", "ultimul", "ultimele", "ostatni", "koniec", "poslední", "posledná", "zadnja",
		"posljednja", "poslednja", "utolsó", "végére", "son", "sonuncu", "последняя", "последний", "последней", "посл", "последнюю", "последна", "конец", "остання", "кінець", "край",
		"τελευταία", "τέλος", "τελευταίο", "viimane", "pēdējā", "paskutinis", "آخرین", "انتها", "آخر", "الأخيرة", "الأخير", "الاخيرة", "الاخير", "الأخيره", "אחרון", "אחרונה", "האחרון", "האחרונה",
		"अंतिम", "आखिरी", "শেষ", "cuối", "terakhir", "akhir", "끝", "끝으로", "마지막", "마지막으로", "마지막페이지", "끝페이지", "맨끝", "end", "ende", "einde":
		return senseLast
	case "older", "earlier", "ältere", "älter", "aeltere", "ouder", "oudere", "anciens", "anciennes", "ancien", "antiguas", "antiguos", "antigos", "antigas",
		"vecchi", "äldre", "eldre", "ældre", "vanhemmat", "vanhempi", "starsze", "starší", "staršie", "starija", "starije", "stariji", "régebbi", "korábbi", "eski",
		"старые", "старее", "ранние", "раньше", "старіші", "старі", "по-стари", "παλαιότερα", "παλιότερα", "παλαιότερες",
		"vechi", "vanemad", "vecāki", "senesni", "الأقدم", "أقدم", "قدیمی\u200cتر", "قدیمی", "ישנים", "ישנות", "पुराने", "पुरानी", "lama",
		"cũ", "předešlé", "předešlý", "이전글":
		return senseOlder
	case "newer", "neuere", "nieuwer", "nieuwere", "récents", "récentes", "recientes", "recentes", "recenti", "nyare", "nyere", "uudemmat", "uudempi", "nowsze", "novější", "novšie",
		"noviji", "novije", "újabb", "újabbak", "новые", "новее", "свежие", "новіші", "нові", "по-нови", "νεότερα", "νεώτερα", "νεότερες", "uuemad", "jaunāki", "naujesni",
		"الأحدث", "أحدث", "جدیدتر", "חדשים", "חדשות", "नए", "नई", "terbaru", "mới", "yeni":
		return senseNewer
	case "more", "mehr", "plus", "más", "mais", "altri", "altro", "meer", "mer", "mere", "fler", "flere", "weitere", "fazla", "multe", "lebih", "banyak", "lisää", "więcej", "více", "viac", "több", "daha",
		"еще", "ещё", "больше", "більше", "ще", "още", "περισσότερα", "المزيد", "بیشتر", "עוד", "और", "আরও", "thêm", "lagi", "lainnya", "더보기", "더":
		return senseMore
	case "all", "alle", "tous", "tout", "todos", "todo", "todas", "tutti", "tutto", "alla", "kaikki", "wszystkie", "wszystko", "vše", "všechny", "összes", "tümü", "tümünü",
		"все", "всі", "всички", "όλα", "الكل", "همه", "הכל", "सभी", "tất", "semua", "전체", "entire", "single", "print":
		return senseAll
	case "article", "artículo", "artigo", "articolo", "story", "post", "topic", "thread", "entry", "photo", "image", "picture", "pic", "video", "comic", "chapter", "episode", "issue",
		"product", "project", "slide", "day", "week", "month", "year", "event", "song", "album", "game", "question", "lesson", "lección", "lezione", "leçon", "lektion", "урок", "step", "level", "news", "blog", "job",
		"beitrag", "thema", "monat", "woche", "tag", "jahr", "bild", "kapitel", "produkt",
		"billet", "sujet", "mois", "semaine", "jour", "année", "chapitre", "produit", "entrada", "tema", "mes", "semana", "día", "año", "capítulo", "producto", "produto", "mese", "giorno", "settimana", "capitolo", "prodotto",
		"bericht", "maand", "artykuł", "wpis", "temat", "miesiąc", "článek", "článok", "měsíc", "příspěvek", "cikk", "bejegyzés", "hónap", "yazı", "konu", "ay", "haber",
		"статья", "запись", "новость", "тема", "тему", "темы", "месяц", "день", "неделя", "год", "глава", "фото", "стаття", "товар", "статия", "άρθρο", "άρθρα", "μήνας", "articolul",
		"المقال", "المقالة", "الموضوع", "مقاله", "مطلب", "نوشته", "הפוסט", "फ़ोटो", "लेख", "artikkeli", "기사", "게시물":
		return senseItem
	case "artikel", "inlägg", "innlegg", "indlæg", "bài", "글":
		return senseBoth
	case "page", "pages", "pg", "seite", "seiten", "página", "páginas", "pagina", "pagine", "pagină", "paginii", "pàgina", "sida", "sidan", "side", "siden", "sivu", "sivulle", "síða", "strona", "strony", "stronę", "stronie", "strana", "stránka", "stranka", "stránky", "stranica", "stran", "strán",
		"oldal", "sayfa", "səhifə", "страница", "страницы", "странице", "страницу", "страниц", "стр", "сторінка", "сторінки", "сторінку", "сторінці", "стор", "страна", "старонка", "pag", "pág", "str", "σελίδα", "σελ", "lehekülg", "lehekuelg", "leht", "lapa", "puslapis", "faqja",
		"الصفحة", "صفحة", "صفحه", "صفحهٔ", "עמוד", "דף", "לעמוד", "העמוד", "לדף", "הדף", "पृष्ठ", "पेज", "পৃষ্ঠা", "পাতা", "பக்கம்", "పేజీ", "ಪುಟ", "പേജ്", "trang", "halaman", "hal", "laman", "muka", "pahina", "ukurasa", "페이지", "쪽", "გვერდი", "էջ", "бет", "sahifa", "хуудас":
		return sensePage
	case "go", "to", "the", "show", "load", "view", "see", "goto", "jump", "click", "here", "results", "result", "posts", "entries", "articles", "items", "comments", "stories", "messages", "topics", "reviews", "products", "threads",
		"zur", "zum", "zu", "der", "die", "das", "beiträge", "einträge", "laden", "anzeigen", "kommentare",
		"la", "le", "les", "aller", "à", "voir", "charger", "billets", "commentaires", "darticles", "dactualités", "nyheter", "afficher",
		"ir", "a", "cargar", "ver", "entradas", "artículos", "mostrar", "noticias", "notícias", "resultados", "carregar", "postagens", "artigos", "vai", "articoli", "carica", "più", "mostra",
		"naar", "berichten", "toon", "resultaten", "till", "til", "visa", "vis", "näytä", "lataa", "laad", "indlæs", "ladda", "artiklar", "artikler", "artikelen", "uutisia", "do", "na", "pokaż", "załaduj", "wpisy", "příspěvky", "články", "příběhy", "načíst", "zobrazit", "bejegyzések", "yükle", "göster", "git", "yazılar", "gönderiler", "haberler", "kayıtlar",
		"показать", "загрузить", "записи", "новости", "сообщения", "статьи", "на", "перейти", "к", "в", "показати", "завантажити", "новини", "статті", "записів", "публикации",
		"المقالات", "مقالات", "إلى", "عرض", "تحميل", "נוספים", "טען", "पोस्ट", "xem", "tải", "hơn", "viết", "kế", "theo", "muat", "tampilkan", "postingan", "보기", "글목록", "목록":
		return senseFill
	case "of", "von", "de", "di", "van", "av", "af", "z", "ze", "od", "из", "із", "з", "от", "sur", "από", "din", "من", "از", "מתוך", "in", "trên", "dari", "중":
		return senseOf
	}
	return 0
}

// A phrase is a word of a script that puts no blanks between words.
type phrase struct {
	text string
	is   sense
}

// phrases are looked for from the start of what is left of a text, the longest
// first where one begins another.
var phrases = [...]phrase{
	{"次のページ", senseNext | sensePage},
	{"次ページ", senseNext | sensePage},
	{"次の", senseNext},
	{"次へ", senseNext},
	{"次", senseNext},
	{"つぎ", senseNext},
	{"進む", senseNext},
	{"前のページ", sensePrev | sensePage},
	{"前ページ", sensePrev | sensePage},
	{"前の", sensePrev},
	{"前へ", sensePrev},
	{"戻る", sensePrev},
	{"一覧へ戻る", senseAll},
	{"一覧に戻る", senseAll},
	{"トップへ戻る", senseAll},
	{"トップに戻る", senseAll},
	{"先頭へ戻る", senseAll},
	{"先頭に戻る", senseAll},
	{"ホームへ戻る", senseAll},
	{"まえ", sensePrev},
	{"以前の", senseOlder},
	{"最初", senseFirst},
	{"先頭", senseFirst},
	{"最後", senseLast},
	{"最終", senseLast},
	{"末尾", senseLast},
	{"過去の", senseOlder},
	{"古い", senseOlder},
	{"新しい", senseNewer},
	{"もっと", senseMore},
	{"さらに", senseMore},
	{"すべて", senseAll},
	{"全て", senseAll},
	{"記事", senseBoth},
	{"動画", senseItem},
	{"投稿", senseFill},
	{"一覧", senseFill},
	{"ページ", sensePage},
	{"頁目", sensePage},
	{"見る", senseFill},
	{"表示", senseFill},
	{"読み込む", senseFill},
	{"を", senseFill},
	{"へ", senseFill},
	{"の", senseFill},
	{"に", senseFill},
	{"件", senseFill},
	{"下一页", senseNext | sensePage},
	{"下一頁", senseNext | sensePage},
	{"下页", senseNext | sensePage},
	{"下頁", senseNext | sensePage},
	{"后一页", senseNext | sensePage},
	{"後一頁", senseNext | sensePage},
	{"后页", senseNext | sensePage},
	{"後頁", senseNext | sensePage},
	{"下一", senseNext},
	{"后面", senseNext},
	{"翻页", senseNext},
	{"下翻", senseNext},
	{"向后", senseNext},
	{"上一页", sensePrev | sensePage},
	{"上一頁", sensePrev | sensePage},
	{"上页", sensePrev | sensePage},
	{"上頁", sensePrev | sensePage},
	{"前一页", sensePrev | sensePage},
	{"前一頁", sensePrev | sensePage},
	{"前页", sensePrev | sensePage},
	{"前頁", sensePrev | sensePage},
	{"上一", sensePrev},
	{"上翻", sensePrev},
	{"向前", sensePrev},
	{"返回", sensePrev},
	{"返回列表", senseAll},
	{"返回目录", senseAll},
	{"返回首页", senseAll},
	{"返回首頁", senseAll},
	{"返回顶部", senseAll},
	{"返回頂部", senseAll},
	{"首页", senseFirst},
	{"首頁", senseFirst},
	{"第一页", senseFirst},
	{"第一頁", senseFirst},
	{"最前", senseFirst},
	{"第一", senseFirst},
	{"最後一頁", senseLast},
	{"最后一页", senseLast},
	{"末页", senseLast},
	{"末頁", senseLast},
	{"尾页", senseLast},
	{"尾頁", senseLast},
	{"最后", senseLast},
	{"最末", senseLast},
	{"更早", senseOlder},
	{"较旧", senseOlder},
	{"較舊", senseOlder},
	{"舊的", senseOlder},
	{"较新", senseNewer},
	{"較新", senseNewer},
	{"加载更多", senseMore},
	{"載入更多", senseMore},
	{"查看更多", senseMore},
	{"显示更多", senseMore},
	{"顯示更多", senseMore},
	{"看更多", senseMore},
	{"更多", senseMore},
	{"点击", senseFill},
	{"加载", senseFill},
	{"查看", senseFill},
	{"显示", senseFill},
	{"全部", senseAll},
	{"所有", senseAll},
	{"篇", senseItem},
	{"主题", senseItem},
	{"主題", senseItem},
	{"章", senseItem},
	{"张", senseItem},
	{"集", senseItem},
	{"个", senseItem},
	{"條", senseItem},
	{"条", senseItem},
	{"则", senseItem},
	{"則", senseItem},
	{"月", senseItem},
	{"日", senseItem},
	{"年", senseItem},
	{"文章", senseFill},
	{"的", senseFill},
	{"到", senseFill},
	{"一页", sensePage},
	{"一頁", sensePage},
	{"页码", sensePage},
	{"页", sensePage},
	{"頁", sensePage},
	{"第", senseFill},
	{"共", senseOf},
	{"หน้าถัดไป", senseNext | sensePage},
	{"หน้าต่อไป", senseNext | sensePage},
	{"ถัดไป", senseNext},
	{"ต่อไป", senseNext},
	{"หน้าก่อนหน้า", sensePrev | sensePage},
	{"ก่อนหน้านี้", sensePrev},
	{"ก่อนหน้า", sensePrev},
	{"ย้อนกลับ", sensePrev},
	{"หน้าที่แล้ว", sensePrev},
	{"หน้าแรก", senseFirst},
	{"แรก", senseFirst},
	{"สุดท้าย", senseLast},
	{"เพิ่มเติม", senseMore},
	{"ทั้งหมด", senseAll},
	{"หน้า", sensePage},
	{"เพิ่ม", senseMore},
	{"โหลด", senseFill},
	{"ดู", senseFill},
	{"บทความ", senseItem},
	{"เก่ากว่า", senseOlder},
	{"ใหม่กว่า", senseNewer},
	{"ຖັດໄປ", senseNext},
	{"ກ່ອນໜ້າ", sensePrev},
	{"ໜ້າ", sensePage},
	{"បន្ទាប់", senseNext},
	{"មុន", sensePrev},
	{"ទំព័រ", sensePage},
	{"ရှေ့သို့", senseNext},
	{"နောက်သို့", senseNext},
	{"နောက်", senseNext},
	{"ရှေ့", sensePrev},
	{"စာမျက်နှာ", sensePage},
}

// sensesOfRun returns what the phrases in a run of letters without blanks say
// together, and how many of its runes belong to none of them.
func sensesOfRun(s []byte) (senses sense, unknown int) {
	for len(s) > 0 {
		n, is := longestPhrase(s)
		if n == 0 {
			_, n = utf8.DecodeRune(s)
			unknown++
		}
		senses |= is
		s = s[n:]
	}
	return senses, unknown
}

func longestPhrase(s []byte) (n int, is sense) {
	for i := range phrases {
		p := &phrases[i]
		if len(p.text) > n && len(s) >= len(p.text) && p.text[0] == s[0] && string(s[:len(p.text)]) == p.text {
			n, is = len(p.text), p.is
		}
	}
	return n, is
}

// hasNoBlanks reports whether r is a letter of a script whose words are not
// parted by blanks.
func hasNoBlanks(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		0x1000 <= r && r <= 0x109F, // Burmese
		0x1780 <= r && r <= 0x17FF, // Khmer
		0x3040 <= r && r <= 0x30FF, // kana
		0x3400 <= r && r <= 0x9FFF: // Han
		return true
	}
	return false
}
