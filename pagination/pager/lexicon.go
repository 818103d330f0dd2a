package pager

// A sense is what one word says about where a link leads.
type sense uint16

const (
	senseNext sense = 1 << iota
	sensePrev
	senseFirst
	senseLast
	senseOlder
	senseNewer
	senseMore  // load more
	senseAll   // everything on one page
	senseItem  // the next article, not the next page of articles
	senseBoth  // an article or articles: the next one, but older ones
	sensePage  // the word for a page
	senseFill  // words that change nothing: go, to, posts, entries
	senseLoose // of a word for newer: it says new or recent, as sections do, unless compared
	senseOf    // parts the number of a page from the number of pages
	senseRows  // beside a number: it is that of the rows on a page
)

// lexicon are the words in lower case that say something. Languages share it: a
// word that says next in one and something else in another stands here only if
// pagers use it in the first sense.
var lexicon = [...]struct {
	is    sense
	words []string
}{
	{senseNext, []string{
		"next", "nxt", "continue", "continued", "forward", "forwards", "fwd", // English
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
		"შემდეგი", "հաջորդ", "հաջորդը", "келесі", "кейінгі", "кийинки", "keyingi", "дараах", "дараагийн",
		"nasledujuce", "følgende", "próx", "próxs", "posteriores", "posterior", "seguinti", "næstu", "vorwaerts", "järgmised", "järgmisele", "järgmist", "nākamie", "nākošā",
		"nākošais", "tālākie", "kitos", "tolesni", "tolesnis", "najbliższe", "kolejny", "kolejną", "následujúca", "nasledujúci", "nasledujúcich", "ďalších", "ďalšiu", "následujícího",
		"следующего", "следващо", "следните", "следни", "следеца", "sledece", "sledeca", "sledeci", "sljedece", "sljedeca", "sledi", "slijedeća", "slijedeći", "naslednje",
		"naslednjo", "următorii", "următoarelor", "urmator", "urmatori", "següentes", "hurrengoak", "επομενα", "επόμενου", "επομενες", "tjetri", "ardhshme", "التاليه", "لاحق",
		"اللاحق", "اللاحقة", "المقبل", "بعدى", "صفحه\u200cبعد", "הבאות", "להבא", "अगिला", "पुढचे", "पुढचा", "पुढची", "आगामी", "পরবর্তি", "পরে",
		"தொடர்ந்து", "తర్వాత", "తర్వాతి", "తదుపరిది", "ಮುಂದಿನದು", "આગલું", "આગામી", "ਅਗਲੀ", "ਅਗਲੇ", "ଊପରବର୍ତ୍ତୀ", "ପରବର୍ତ୍ତୀ", "මීළඟ", "ඊලඟ", "kasunod",
		"다음글", "다음쪽", "뒤로가기없음", "հաջորդող", "келесісі", "кийинкиси", "кейингиси", "keyingisi", "кейинги", "навбатӣ", "оянда", "dalış", "nesaf", "aghaidh",
		"επόμ", "επομ", "násl", "köv", "önü", "следв", "volg", "succ", "nächs", "prox", "siguient", "ďal", // cut short
		"sekva", "sekvanta", "volgend", "наступною", "наступнае", "эхнийдараа", // Georgian, Armenian, Kazakh, Kyrgyz, Uzbek, Mongolian
	}},
	{sensePrev, []string{
		"prev", "previous", "previously", "back", "prv", "backward", "preceding", "backwards",
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
		"წინა", "նախորդ", "նախորդը", "алдыңғы", "мурунку", "oldingi", "avvalgi", "өмнөх",
		"précédement", "précéd", "preced", "eelmised", "eelmisele", "eelmist", "iepriekšējie", "iepriekšējo", "ankstesni", "ankstesnių", "poprzednich", "wcześniejsze", "poprzedniej", "predošlý",
		"predošlého", "predchádzajúcich", "predchádzajúci", "predchádzajúcu", "předešlých", "předcházejících", "předchozího", "предыдущего", "предишните", "предишно", "предходна", "предходни", "предходен", "претходне",
		"prethodno", "prethodnih", "prejšnje", "prejšnjo", "predhodnja", "predhodna", "anteriori", "anterioarele", "anterioare", "aurrekoak", "προηγούμενοι", "προηγουμενα", "προηγούμενου", "mëparshmja",
		"paraardhës", "paraardhëse", "السابقه", "قبلى", "הקודמות", "לקודם", "मागचे", "मागचा", "पिछ्ला", "पहिलेको", "পূর্ববর্তি", "পূর্বের", "முன்", "మునుపు",
		"ಹಿಂದಿನದು", "മുമ്പുള്ള", "પાછલું", "પહેલાંનું", "ਪਿਛਲੀ", "ਪਿਛਲੇ", "ପୂର୍ବବର୍ତ୍ତୀ", "කලින්", "පෙරදි", "이전글목록", "նախորդող", "алдыңғысы", "олдинги",
		"προηγ", "předc", "předchoz", "előz", "önc", "предх", "prec", "vorh", "forr", "föreg", "edell", "predch", // cut short
		"аввалги", "қаблӣ", "evvelki", "blaenorol", "roimhe", "antaŭa", "vorig", "попереднього", "попередніх", "папярэдні", "папярэднія",
	}},
	{senseFirst, []string{
		"first", "erste", "ersten", "première", "premier", "premiere", "primera", "primero", "primeira", "primeiro", "prima", "primo",
		"inicio", "início", "inizio", "début", "anfang", "eerste", "första", "første", "ensimmäinen", "ensimmäiselle", "fyrsta",
		"pierwsza", "pierwszy", "první", "prvá", "prvi", "prva", "első", "ilk", "birinci",
		"первая", "первой", "перв", "первую", "первый", "начало", "перша", "початок", "първа", "прва", "πρώτη", "αρχή", "πρώτο", "primul", "pierwsze",
		"esimene", "pirmā", "pirmas", "pirma", "نخست", "اولین", "الأولى", "الأول", "الاولى", "الاول", "اول", "ابتدا", "ראשון", "ראשונה", "התחלה", "הראשון", "הראשונה",
		"प्रथम", "पहला", "প্রথম", "đầu", "pertama", "awal", "처음", "처음으로", "첫", "첫페이지", "처음페이지", "맨처음", "start", "beginning",
		"primer", "primers", "premiers", "lehenengo", "lehenengoa", "primeiras", "primeiros", "primi", "esimesele", "pirmais", "pirmoji", "первые", "першої",
		"першая", "першы", "първо", "първи", "прво", "први", "първата", "prvih", "prvé", "prvej", "prvú", "prvního", "prvý", "πρώτα",
		"πρώτης", "πρώτες", "primii", "prim", "najnowsze", "neueste", "nieuwste", "nejnovější", "najnovšie", "legújabb", "legfrissebb", "новейшие", "найновіші", "parë",
		"اولى", "نخستین", "ابتدای", "اولي", "پہلا", "پہلی", "پہلے", "ראשונים", "לראשון", "ההתחלה", "पहिलो", "पहिले", "पहिला", "पहली",
		"प्रारंभ", "প্রথমে", "முதல்", "మొదటి", "ಮೊದಲ", "ആദ്യ", "ആദ്യത്തെ", "પ્રથમ", "પહેલું", "ਪਹਿਲਾ", "ਪਹਿਲੀ", "ପ୍ରଥମ", "පළමු", "මුල්",
		"permulaan", "kwanza", "맨앞", "첫쪽", "처음목록", "პირველი", "დასაწყისი", "առաջին", "առաջինը", "бірінші", "басы", "биринчи", "birinchi",
		"аввалин", "эхний", "эхэнд", "cyntaf", "tosaigh", "unua", "begin",
		"newest", "найноўшыя",
	}},
	{senseLast, []string{
		"last", "letzte", "letzter", "letzten", "dernière", "dernier", "derniere", "última", "último", "ultima", "ultimo", "final", "fin", "fine",
		"laatste", "sista", "viimeiselle", "siste", "sidste", "viimeinen", "síðasta", "ostatnia", "ostatnie", "ultimul", "ultimele", "ostatni", "koniec", "poslední", "posledná", "zadnja",
		"posljednja", "poslednja", "utolsó", "végére", "son", "sonuncu", "последняя", "последний", "последней", "посл", "последнюю", "последна", "конец", "остання", "кінець", "край",
		"τελευταία", "τέλος", "τελευταίο", "viimane", "pēdējā", "paskutinis", "آخرین", "انتها", "آخر", "الأخيرة", "الأخير", "الاخيرة", "الاخير", "الأخيره", "אחרון", "אחרונה", "האחרון", "האחרונה",
		"अंतिम", "आखिरी", "শেষ", "cuối", "terakhir", "akhir", "끝", "끝으로", "마지막", "마지막으로", "마지막페이지", "끝페이지", "맨끝", "end", "ende", "einde",
		"últim", "últims", "darrer", "darrera", "derradeira", "derradeiro", "azken", "azkena", "ultimi", "ultime", "últimas", "últimos", "dernières", "derniers",
		"laaste", "síðasti", "viimeiset", "pēdējais", "paskutiniai", "paskutinė", "viimasele", "ostatnią", "ostatniej", "posledný", "poslednú", "posledného", "poslednji", "posljednji",
		"zadnji", "zadnje", "kraj", "kraja", "последние", "последно", "последни", "последње", "последњи", "останні", "останньої", "останньою", "апошняя", "апошні",
		"τελευταια", "τελευταίες", "τελευταίοι", "τελευταίας", "ultimei", "fundit", "älteste", "oudste", "najstarsze", "nejstarší", "najstaršie", "legrégebbi", "старейшие", "найстаріші",
		"انتهاء", "انتهای", "آخری", "آخرى", "الاخيره", "النهاية", "نهاية", "پایان", "לאחרון", "הסוף", "אחרונים", "आख़िरी", "अन्तिम", "शेवटचे",
		"शेवटचा", "शेवटची", "শেষের", "কொনেচি", "கடைசி", "இறுதி", "చివరి", "ಕೊನೆಯ", "അവസാന", "അവസാനത്തെ", "છેલ્લું", "ਆਖਰੀ", "ਆਖ਼ਰੀ", "ଶେଷ",
		"අවසාන", "අවසන්", "penghabisan", "huli", "huling", "mwisho", "맨뒤", "마지막쪽", "ბოლო", "վերջին", "վերջինը", "соңғы", "акыркы", "oxirgi",
		"охирин", "охирги", "сүүлийн", "сүүлд", "olaf", "deiridh", "lasta",
		"oldest", "earliest", "найстарэйшыя",
	}},
	{senseOlder, []string{
		"older", "earlier", "ältere", "älter", "aeltere", "ouder", "oudere", "anciens", "anciennes", "ancien", "antiguas", "antiguos", "antigos", "antigas",
		"vecchi", "äldre", "eldre", "ældre", "vanhemmat", "vanhempi", "starsze", "starší", "staršie", "starija", "starije", "stariji", "régebbi", "korábbi", "eski",
		"старые", "старее", "ранние", "раньше", "старіші", "старі", "по-стари", "παλαιότερα", "παλιότερα", "παλαιότερες",
		"vechi", "vanemad", "vecāki", "senesni", "الأقدم", "أقدم", "قدیمی\u200cتر", "قدیمی", "ישנים", "ישנות", "पुराने", "पुरानी", "lama",
		"cũ", "předešlé", "předešlý", "이전글",
		"älteren", "ältesten", "antigues", "vells", "antigo", "antiga", "vecchie", "meno", "eldste", "ældste", "äldsta", "eldri", "vanhimmat", "starsi",
		"staršia", "starszych", "staršího", "starších", "dřívější", "starejše", "starejši", "старији", "старије", "стари", "по-старите", "старых", "старейших", "давние",
		"παλαιότερο", "παλαιότεροι", "παλιότερες", "vjetra", "vjetër", "vanem", "vanemaid", "vecākas", "vecāks", "senesnis", "senesnių", "senesnės", "قديمة", "القديمة",
		"قدیم", "قدیم\u200cتر", "پرانے", "پرانی", "پرانا", "ישן", "ישנה", "הישנות", "הישנים", "पुराना", "पुरानो", "जुने", "जुनी", "जुना",
		"পুরাতন", "পুরানো", "পুরনো", "பழைய", "పాత", "ಹಳೆಯ", "പഴയ", "જૂની", "જૂનું", "ਪੁਰਾਣੇ", "ਪੁਰਾਣੀ", "පැරණි", "terlama", "lumang",
		"lumalama", "zamani", "오래된", "과거", "ძველი", "հին", "ескі", "эски", "eskiroq", "хуучин", "köhnə",
		"старэйшых", "старэйшыя",
	}},
	{senseNewer, []string{
		"newer", "neuere", "nieuwer", "nieuwere", "nyare", "nyere", "uudemmat", "uudempi", "nowsze", "novější", "novšie",
		"noviji", "novije", "újabb", "újabbak", "новее", "новіші", "по-нови", "νεότερα", "νεώτερα", "νεότερες", "uuemad", "jaunāki", "naujesni",
		"الأحدث", "أحدث", "جدیدتر",
		"neueren", "nýrri", "novějších", "novšia",
		"nowszych", "novejše", "novejši", "новији", "новије", "по-новите", "νεότερο", "νεότεροι", "uuem", "uuemaid", "jaunākas", "jaunākie",
		"naujesnis", "naujesnių", "naujesnės", "جدیدترین",
		"नविन",
		"навейшых", "навейшыя",
	}},
	{senseNewer | senseLoose, []string{
		"récents", "récentes", "recientes", "recentes", "recenti", "новые", "свежие", "нові", "חדשים", "חדשות", "नए", "नई", "terbaru", "mới",
		"yeni", "recent", "récente", "new", "neue", "neuen", "nieuwe", "nuevos", "nuevas", "novos", "novas", "nové", "nowe", "nya",
		"nye", "uudet", "új", "újak", "новых", "новите", "נов", "جديدة", "الجديدة", "جدید", "نئے", "نئی", "חדש", "חדשה",
		"החדשים", "החדשות", "नया", "नयाँ", "नवीन", "নতুন", "புதிய", "కొత్త", "ಹೊಸ", "പുതിയ", "નવી", "ਨਵੇਂ", "නව", "අලුත්",
		"terkini", "bago", "mapya", "최근", "최신", "ახალი", "նոր", "жаңа", "жаңы", "yangi", "шинэ", "nyaste", "nyeste", "uusimmat",
		"neuesten", "νέα", "нова", "новый", "reja",
	}},
	{senseMore, []string{
		"more", "mehr", "plus", "más", "mais", "altri", "altro", "meer", "mer", "mere", "fler", "flere", "weitere", "fazla", "multe", "lebih", "banyak", "lisää", "więcej", "více", "viac", "több", "daha",
		"еще", "ещё", "больше", "більше", "ще", "още", "περισσότερα", "المزيد", "بیشتر", "עוד", "और", "আরও", "thêm", "lagi", "lainnya", "더보기", "더",
		"encore", "ulteriori", "altre", "altra", "outros", "outras", "meira", "enemmän", "rohkem", "vairāk", "daugiau", "više", "још",
		"јос", "повече", "повеќе", "încă", "més", "gehiago", "máis", "περισσότερες", "περισσότεροι", "περισσότερο", "shumë", "tepër",
		"أكثر", "اكثر", "مزيد", "بیشتری", "مزید", "נוסף", "נוספות", "अधिक", "थप", "অধিক", "மேலும்", "మరిన్ని", "ಇನ್ನಷ್ಟು", "കൂടുതൽ",
		"વધુ", "ਹੋਰ", "ଅଧିକ", "තව", "තවත්", "higit", "zaidi", "더많이", "მეტი", "ավելի", "ավելին", "тағы", "көбірөк",
		"дагы", "yana", "илүү",
	}},
	{senseAll, []string{
		"all", "alle", "tous", "tout", "todos", "todo", "todas", "tutti", "tutto", "alla", "kaikki", "wszystkie", "wszystko", "vše", "všechny", "összes", "tümü", "tümünü",
		"все", "всі", "всички", "όλα", "الكل", "همه", "הכל", "सभी", "tất", "semua", "전체", "entire", "single", "print",
		"overview", "overzicht", "übersicht", "overblik", "oversikt", "översikt", "list", "liste", "lista", "listę", "listy", "listado", "elenco", "lijst", "luetteloon", "luettelo", "список", "списку", "списка", "перечень", "каталог", "seznam", "seznamu", "zoznam", "zoznamu", "přehled", "přehledu", "przegląd", "daftar", "indeks", "index", "home", "homepage", "startseite", "accueil", "danh", "listesi", "listeye", "главную", "головну",
	}},
	{senseItem, []string{
		"article", "artículo", "artigo", "articolo", "story", "post", "topic", "thread", "entry", "photo", "image", "picture", "pic", "video", "comic", "chapter", "episode", "issue",
		"product", "project", "slide", "day", "week", "month", "year", "event", "song", "album", "game", "question", "lesson", "lección", "lezione", "leçon", "lektion", "урок", "step", "level", "news", "blog", "job",
		"beitrag", "thema", "monat", "woche", "tag", "jahr", "bild", "kapitel", "produkt",
		"billet", "sujet", "mois", "semaine", "jour", "année", "chapitre", "produit", "entrada", "tema", "mes", "semana", "día", "año", "capítulo", "producto", "produto", "mese", "giorno", "settimana", "capitolo", "prodotto",
		"bericht", "maand", "artykuł", "wpis", "temat", "miesiąc", "článek", "článok", "měsíc", "příspěvek", "cikk", "bejegyzés", "hónap", "yazı", "konu", "ay", "haber",
		"статья", "запись", "новость", "тема", "тему", "темы", "месяц", "день", "неделя", "год", "глава", "фото", "стаття", "товар", "статия", "άρθρο", "άρθρα", "μήνας", "articolul",
		"المقال", "المقالة", "الموضوع", "مقاله", "مطلب", "نوشته", "הפוסט", "फ़ोटो", "लेख", "artikkeli", "기사", "게시물",
		"zdjęcie", "zdjęcia", "zdj", "fotka", "obrázek", "fotografie", "fotografia", "imagen", "imagem", "immagine", "afbeelding", "kuva", "bilde", "billede",
		"bilden", "kép", "fotó", "fotoğraf", "resim", "εικόνα", "φωτογραφία", "صورة", "عکس", "תמונה", "तस्वीर", "gambar", "rasm", "снимка",
		"слика", "slika", "зображення", "изображение", "сурет", "фотография", "lekcja", "lekce", "lecke", "ders", "matchday", "round", "runde", "kolejka",
		"θέμα", "νήμα", "κεφάλαιο", "אשכול", "האשכול", "נושא", "הנושא", "פרק", "הפרק", "כתבה", "הכתבה", "tråd", "tråden", "emne", "ämne", "ketju", "viestiketju", "aihe", "luku", "onderwerp", "draad", "discussie", "hoofdstuk",
		"wątek", "wątku", "rozdział", "téma", "vlákno", "kapitola", "fejezet", "szál", "subiect", "subiectul", "discuție", "capitolul", "bölüm", "başlık", "موضوع", "الفصل", "تاپیک", "فصل", "chương", "topik", "utas", "bab",
		"discussione", "argomento", "hilo", "tópico", "discussão", "розділ", "poglavlje", "раздел", "abschnitt", "paragraf", "section", "sección", "seção", "sezione", "अध्याय",
		"jornada", "rodada", "giornata", "журнал", "выпуск", "серия", "эпизод", "эпизода", "фильм",
	}},
	{senseBoth, []string{
		"artikel", "inlägg", "innlegg", "indlæg", "bài", "글",
	}},
	{sensePage, []string{
		"page", "pages", "pg", "seite", "seiten", "página", "páginas", "pagina", "pagine", "pagină", "paginii", "pàgina", "sida", "sidan", "side", "siden", "sivu", "sivulle", "síða", "strona", "strony", "stronę", "stronie", "strana", "stránka", "stranka", "stránky", "stranica", "stran", "strán",
		"oldal", "sayfa", "səhifə", "страница", "страницы", "странице", "страницу", "страниц", "стр", "сторінка", "сторінки", "сторінку", "сторінці", "стор", "страна", "старонка", "pag", "pág", "str", "σελίδα", "σελ", "lehekülg", "lehekuelg", "leht", "lapa", "puslapis", "faqja",
		"الصفحة", "صفحة", "صفحه", "صفحهٔ", "עמוד", "דף", "לעמוד", "העמוד", "לדף", "הדף", "पृष्ठ", "पेज", "পৃষ্ঠা", "পাতা", "பக்கம்", "పేజీ", "ಪುಟ", "പേജ്", "trang", "halaman", "hal", "laman", "muka", "pahina", "ukurasa", "페이지", "쪽", "გვერდი", "էջ", "бет", "sahifa", "хуудас",
		"blaðsíða", "lapas", "lappuse", "puslapiai", "puslapį", "puslapio", "lehte", "sivut", "sivua", "stranu", "stranici", "stranice", "stránce", "страници",
		"страната", "στη", "σελίδες", "pàgines", "páxina", "orria", "orrialde", "orrialdea", "leathanach", "tudalen", "paĝo", "bladsy", "bladzijde", "blz",
		"صفحات", "پیج", "עמודים", "पान", "पृष्ठों", "पन्ना", "পেজ", "பக்கங்கள்", "పేజీలు", "പേജുകൾ", "પૃષ્ઠ", "પાનું", "ਸਫ਼ਾ", "ପୃଷ୍ଠା",
		"පිටුව", "페이지로", "გვერდები", "էջեր", "беті", "баракча", "саҳифа",
	}},
	{senseFill, []string{
		"go", "to", "the", "show", "load", "view", "see", "goto", "jump", "click", "here", "results", "result", "posts", "entries", "articles", "items", "comments", "stories", "messages", "topics", "reviews", "products", "threads",
		"zur", "zum", "zu", "der", "die", "das", "beiträge", "einträge", "laden", "anzeigen", "kommentare",
		"la", "le", "les", "aller", "à", "voir", "charger", "billets", "commentaires", "darticles", "dactualités", "nyheter", "afficher",
		"ir", "a", "cargar", "ver", "entradas", "artículos", "mostrar", "noticias", "notícias", "resultados", "carregar", "postagens", "artigos", "vai", "articoli", "carica", "più", "mostra",
		"naar", "berichten", "toon", "resultaten", "till", "til", "visa", "vis", "näytä", "lataa", "laad", "indlæs", "ladda", "artiklar", "artikler", "artikelen", "uutisia", "do", "na", "pokaż", "załaduj", "wpisy", "příspěvky", "články", "příběhy", "načíst", "zobrazit", "bejegyzések", "yükle", "göster", "git", "yazılar", "gönderiler", "haberler", "kayıtlar",
		"показать", "загрузить", "записи", "новости", "сообщения", "статьи", "на", "перейти", "к", "в", "показати", "завантажити", "новини", "статті", "записів", "публикации",
		"المقالات", "مقالات", "إلى", "عرض", "تحميل", "נוספים", "טען", "पोस्ट", "xem", "tải", "hơn", "viết", "kế", "theo", "muat", "tampilkan", "postingan", "보기", "글목록", "목록",
		"kommentit", "kommentteja", "kommentarer", "kommentarerna", "reacties", "commenti", "comentarios", "comentários", "comentaris", "komentarze", "komentarzy", "komentáře", "komentářů", "komentáre",
		"hozzászólások", "yorumlar", "yorumları", "комментарии", "комментариев", "комментарий", "коментарі", "коментарів", "коментари", "σχόλια", "σχολίων", "التعليقات", "تعليقات", "نظرات",
		"دیدگاه\u200cها", "دیدگاه", "תגובות", "टिप्पणियाँ", "মন্তব্য", "komentar", "bình", "댓글", "komentari", "comentarii", "publications", "publication", "publicaciones", "publicações",
		"publicacions", "publicación", "mensagens", "mensaje", "mensajes", "messaggi", "meldungen", "nachrichten", "notizie", "actualités", "annonces", "annunci", "anuncios", "anúncios",
		"posty", "posti", "postovi", "postări", "постови", "tekstit", "opslag", "objave", "príspevky", "dopisy", "дописи", "публікації", "публікацій",
		"postitused", "ziņas", "pranešimai", "товаров", "товары", "товарів", "товари", "объявлений", "объявления", "оголошень", "оголошення", "результатов", "результаты", "результатів",
		"результати", "материалы", "материалов", "новостей", "новин", "элементов", "позиций", "ürün", "ürünler", "ilan", "sonuç", "sonuçlar", "elementos", "elementi",
		"éléments", "elemente", "elementów", "elements", "αναρτήσεις", "αποτελέσματα", "προϊόντα", "رسائل", "نتائج", "پیام\u200cهای", "نوشته\u200cهای", "مطالب", "اخبار",
		"الأخبار", "פוסטים", "רשומות", "יותר", "इडुकैकळ்", "இடுகைகள்", "পোস্টসমূহ", "పోస్ట్\u200cలు", "ಪೋಸ್ಟ್\u200cಗಳು", "പോസ്റ്റ്", "പോസ്റ്റുകൾ", "પોસ્ટ્સ", "đăng", "catatan",
		"produk", "hasil", "iklan", "mga", "tulemused", "tulemust", "tulokset", "tuloksia", "resultat", "resultater", "treffer", "ergebnisse", "przejdź", "idź",
		"ugrás", "jdi", "přejít", "přejdi", "mergi", "salta", "vaya", "allez", "gehe", "ga", "gå", "siirry", "μετάβαση",
		"στην", "انتقال", "الانتقال", "الى", "به",
		"makala",
	}},
	{senseRows, []string{"per", "pro", "par", "por"}},
	{senseOf, []string{
		"of", "von", "de", "di", "van", "av", "af", "z", "ze", "od", "из", "із", "з", "от", "sur", "από", "din", "من", "از", "מתוך", "in", "trên", "dari", "중",
	}},
}

// senses holds the sense of each word of the lexicon.
var senses = func() map[string]sense {
	all := map[string]sense{}
	for _, group := range lexicon {
		for _, w := range group.words {
			all[w] = group.is
		}
	}
	return all
}()

// wordEnds tells, of the words of the lexicon that are short and in letters of
// ASCII, which last letters there are with a length and a first letter: most words
// of the links of a page are told by it to be unknown.
var wordEnds = func() (ends [maxShort + 1][26]uint32) {
	for w := range senses {
		if first, last, ok := shortWord([]byte(w)); ok {
			ends[len(w)][first] |= 1 << last
		}
	}
	return ends
}()

// maxShort is the length of the longest word that wordEnds tells of.
const maxShort = 15

// shortWord returns the first and the last letter of a word, as numbers from 0, and
// whether wordEnds tells of it: it is short, and both are letters of ASCII.
func shortWord(w []byte) (first, last byte, ok bool) {
	first, last = w[0]-'a', w[len(w)-1]-'a'
	return first, last, len(w) <= maxShort && first < 26 && last < 26
}

// senseOfWord returns what a word in lower case says, 0 if it is unknown.
func senseOfWord(w []byte) sense {
	if first, last, ok := shortWord(w); ok && wordEnds[len(w)][first]>>last&1 == 0 {
		return 0
	}
	return senses[string(w)]
}
