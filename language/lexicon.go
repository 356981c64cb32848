package language

// lexicon holds, for languages that share a script with others, words that are
// common in what people and agents write about work: function words first, then
// everyday verbs. Words of the trade that all languages borrow (commit, server,
// token) are left out, they tell nothing. Written for this package by hand.
type lexicon struct {
	lang  string
	words string
	// marks are letters and endings that speak for the language: "-ung" is an
	// ending, "sch" anything inside a word.
	marks string
}

var latinLexicons = [...]lexicon{
	{"en", `the a an and or but not is are was were be been being am do does did doing done has have had having will would can could should shall may might must
		i you he she it we they me him her us them my your his its our their this that these those there here what which who whom whose when where why how
		to of in on at by for from with without into onto about after before between through during under over again then than so as if because while until
		all any both each few more most other some such no nor only own same too very just also still yet now already never always please let lets make makes made making
		add added adds adding fix fixed fixes fixing change changed changes remove removed removes removing update updated updates use used uses using run ran runs running
		check checked checks write wrote written writes create created creates move moved moves need needs needed want wants wanted get gets got show shows shown
		work works worked working look looks looked see saw seen find found finds keep keeps kept give gave given take took taken tell told ask asked try tried
		instead every first last next new old both however though since per up down off one two three failing passing pass passed fails failed still missing
		 way thing things everything something nothing anything wrong right cannot don't doesn't
		can't won't isn't it's i'm that's didn't wasn't haven't let's we're you're reads returns handles sends sent open opened close closed waits waiting left
		because whether which called sets before longer shorter started starts stopped stops break breaks broken broke explain rename renamed renames
		replace replaced replaces improve improved clean cleaned cleans handled leave leaves asks asking slow faster answer answers answered decision finished unfinished
		verified confirmed rewrote rewritten moved turned turns empty duplicate duplicates against once twice no longer`, `-ing -tion -ed -ly -ness -ght th wh -ould`},
	{
		"de", `der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren sein wird werden wurde wurden hat haben hatte hatten kann können
		könnte soll sollen sollte sollten muss müssen darf dürfen mag möchte will wollen ich du er sie es wir ihr mich dich uns euch mir dir ihm ihnen mein dein sein unser
		euer dieser diese dieses diesen diesem jener jede jeder jedes alle alles welche welcher welches wer was wann wo warum wie zu zum zur von vom in im ins an am auf aus
		bei beim für mit ohne nach vor über unter zwischen durch während bis seit gegen um als wenn weil dass damit ob denn dann noch schon nur auch sehr mehr so hier da dort
		jetzt bitte mal man kein keine keinen keiner nichts etwas immer nie wieder bereits sowie sondern jedoch statt ohne beide ersten letzte nächste neue neuen neuer neues alte alten
		füge hinzu hinzugefügt behebe behoben beheben ändere geändert ändern entferne entfernt entfernen prüfe geprüft prüfen schreibe geschrieben schreiben erstelle erstellt
		erstellen mach mache machen gemacht läuft laufen lief funktioniert funktionieren zeige zeigt zeigen angezeigt nutze nutzt nutzen verwende verwendet verwenden verschiebe verschoben
		fehler fehlt fehlen fehlgeschlagen datei dateien zeile zeilen funktion benutzer nutzer werte wert seite seiten schlüssel frage antwort änderung änderungen warum erkläre erklären
		umbenannt umbenennen ersetzt ersetzen behandelt liest gibt geben gefunden finden suche anfrage anfragen einmal zweimal doppelte doppelten leer leere leeren grün rot zuerst danach
		wartet warten offen offene geöffnet geschlossen lass lasse ihn ihre ihren sich selbst weiter fertig richtig falsch mehrere einige andere anderen nun hätte wäre würde bleibt ausgeführt`,
		`ß ä ö ü -ung -ungen -lich -keit -heit -isch sch -iert -ieren ei -en -cht`,
	},
	{
		"fr", `le la les l' un une des du de d' et ou mais ne pas n' est sont était étaient être a ont avait avoir sera seront peut peuvent pourrait doit doivent devrait faut
		je tu il elle on nous vous ils elles me te se m' t' s' mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces c' qui que qu' quoi dont où quand
		comment pourquoi quel quelle quels quelles à au aux en dans sur sous par pour avec sans chez vers entre depuis pendant avant après contre jusqu' si car donc comme alors
		plus moins très trop aussi encore déjà toujours jamais rien tout tous toute toutes autre autres même mêmes chaque plusieurs ici là maintenant puis ensuite afin lorsque
		ajoute ajouter ajouté ajoutée ajoutés corrige corriger corrigé corrigée change changer changé supprime supprimer supprimé supprimée vérifie vérifier vérifié écris écrire écrit crée
		créer créé fais faire fait faites mets mettre mis utilise utiliser utilisé déplace déplacer déplacé montre montrer affiche afficher affiché lance lancer marche fonctionne
		fichier fichiers ligne lignes fonction utilisateur utilisateurs valeur valeurs erreur erreurs clé page bouton recherche requête requêtes question réponse échoue échouent échoué
		passe passent manque manquant nouveau nouvelle nouveaux ancien ancienne premier première dernier dernière deux trois explique expliquer renomme renommé remplace remplacer remplacé
		lit renvoie gère géré trouve trouvé vide vides doublons attend attente reste restent ouvert fermé celui celle ceux afin été désormais lors dès ainsi peux veux voudrais quand`,
		`é è ê à ç œ ù -tion -ment -ée -ées -és -eux -euse -er -oir eau qu' -ique`,
	},
	{
		"es", `el la los las un una unos unas de del al y e o u pero no es son era eran ser está están estaba estar ha han había haber hay será puede pueden podría debe deben debería
		yo tú él ella nosotros ellos ellas me te se nos lo le les mi mis tu tus su sus nuestro nuestra este esta esto estos estas ese esa eso esos aquel que qué quien cuál cuando
		cuándo donde dónde cómo como por para con sin en entre sobre bajo desde hasta hacia contra según durante antes después si porque pues entonces aunque mientras más menos muy
		mucho también todavía aún ya siempre nunca nada algo todo todos toda todas otro otra otros otras mismo misma cada varios ahora aquí allí luego así sólo solo
		añade añadir añadido agrega agregar agregado agregué añadí corrige corregir corregido corregí arregla arreglar arreglado cambia cambiar cambiado cambié elimina eliminar eliminado quita quitar comprueba
		comprobar revisa revisar revisado escribe escribir escrito crea crear creado haz hacer hecho pon poner puesto usa usar usado mueve mover movido muestra mostrar ejecuta ejecutar funciona
		archivo archivos fichero ficheros línea líneas función usuario usuarios valor valores error errores clave página botón búsqueda consulta pregunta respuesta falla fallan falló
		pasa pasan falta faltan nuevo nueva nuevos viejo primero primera último última dos tres explica explicar renombra renombrado reemplaza reemplazar lee devuelve maneja encuentra
		encontrado vacío vacía duplicados espera esperando queda quedan abierto cerrado sea fue fueron hizo tiene tienen tenía quiero necesito dime`,
		`ñ ¿ ¡ ó í á ú -ción -ciones -ado -ada -ados -mente -dad -ando -iendo -ar -ir -ué`,
	},
	{
		"pt", `o a os as um uma uns umas de do da dos das no na nos nas ao aos à às e ou mas não é são era eram ser está estão estava estar foi foram há tem têm tinha ter será pode podem
		poderia deve devem deveria eu tu você vocês ele ela nós eles elas me te se lhe meu minha meus teu tua seu sua seus suas nosso nossa este esta isto estes esse essa isso aquele
		que quê quem qual quais quando onde como por para pelo pela pelos com sem em entre sobre sob desde até contra durante antes depois porque pois então embora enquanto mais menos muito
		também ainda já sempre nunca nada algo tudo faz fazes fazendo arruma arrumar ajusta ajustar tira bota deixa deixe troca coloca adicionei refaz manda roda vem tem sim aparecem aparece todos toda todas outro outra outros mesmo mesma cada vários agora aqui ali logo assim só apenas
		adicione adicionar adicionado adicionei adiciona corrija corrigir corrigido corrigi conserta consertar mude mudar mudado mudei altere alterar alterado remova remover removido removi verifique verificar verifiquei
		escreva escrever escrito crie criar criado faça fazer feito coloque colocar use usar usado mova mover movido mostre mostrar mostra execute executar rode rodar funciona funcionando
		arquivo arquivos ficheiro ficheiros linha linhas função usuário usuários utilizador valor valores erro erros chave página botão busca consulta pergunta resposta falha falham falhou falhando
		passa passam passou falta faltam novo nova novos velho primeiro primeira último última dois duas três explique explicar renomeie renomeado renomeei substitua substituir lê retorna devolve trata encontra
		encontrado vazio vazia duplicados espera esperando aguardando resta restam aberto fechado seja quero preciso numa num isso pra está`,
		`ã õ ç ê â -ção -ções -ões -ão -ado -ada -mente -dade -ando -endo lh nh -ei`,
	},
	{
		"it", `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in nel nello nella nei nelle su sul sulla sui con per tra fra e ed o
		ma non è sono era erano essere sta stanno ha hanno aveva avere ho abbiamo sarà può possono potrebbe deve devono dovrebbe io tu lui lei noi voi loro mi ti si ci vi lo li ne mio mia
		miei tuo tua suo sua nostro nostra questo questa questi queste quello quella quelli quei che chi cui quale quali quando dove come perché senza sotto sopra verso contro durante prima dopo
		se poiché quindi allora anche ancora già sempre mai niente nulla qualcosa tutto tutti tutta tutte altro altra altri stesso stessa ogni ora qui lì poi così solo più meno molto troppo
		aggiungi aggiungere aggiunto aggiunta aggiunti correggi correggere corretto corretta cambia cambiare cambiato rimuovi rimuovere rimosso rimossa elimina controlla controllare controllato verifica verificare verificato
		scrivi scrivere scritto crea creare creato fai fare fatto metti mettere messo usa usare usato sposta spostare spostato mostra mostrare esegui eseguire funziona funzionano
		riga righe funzione utente utenti valore valori errore errori chiave pagina pulsante ricerca richiesta richieste domanda risposta fallisce falliscono fallito passano manca mancano
		nuovo nuova nuovi vecchio primo ultimo ultima due tre spiega spiegare rinomina rinominato sostituisci sostituire sostituito legge restituisce gestisce trova trovato vuoto vuota vuoti
		duplicati attende attesa resta restano aperto chiuso sia stato stata stati voglio vorrei bisogna dell' all' nell' dall' sull' un' l' c' quell'`,
		`ò ù è à ì -zione -zioni -mente -ato -ata -ati -are -ere -ire gli -ità zz cch -tto -ggi`,
	},
	{"nl", `de het een en of maar niet is zijn was waren wordt worden werd werden heeft hebben had hadden kan kunnen kon zou zouden moet moeten mag zal zullen wil willen ik jij je hij zij ze
		wij we jullie u mij me jou hem haar ons hen hun mijn jouw onze deze dit die dat wie wat welke wanneer waar waarom hoe naar van voor met zonder in op aan uit bij door over onder tussen
		tegen tijdens tot sinds na als omdat zodat dan nog al ook alleen zeer meer minder zo hier daar er nu geen niets iets altijd nooit weer opnieuw alle alles elke elk andere zelf eerst
		voeg toe toegevoegd toevoegen repareer gerepareerd opgelost los oplossen verander veranderd wijzig gewijzigd wijzigen verwijder verwijderd verwijderen controleer gecontroleerd controleren schrijf geschreven
		schrijven maak maken gemaakt doe doen gedaan zet zetten gezet gebruik gebruikt gebruiken verplaats verplaatst toon tonen getoond laat laten draai draait draaien werkt werken
		bestand bestanden regel regels functie gebruiker gebruikers waarde waarden fout fouten sleutel pagina knop zoeken vraag vragen antwoord faalt falen mislukt slagen slaagt ontbreekt ontbreken
		nieuw nieuwe oud oude eerste laatste volgende twee drie leg uitleggen hernoem hernoemd vervang vervangen leest geeft behandelt gevonden vinden leeg lege dubbele wacht wachten
		blijft open gesloten want toch even graag wel niet meer zodra terwijl beide bij het`, `ij ee oo aa -en -heid -lijk -baar ge- -aar sch -ing uu oe`},
	{
		"sv", `och att det som en ett den de är var vara har hade ha blir blev bli kan kunde ska skulle måste får vill inte jag du han hon vi ni mig dig oss er mina min mitt din ditt sin sitt sina
		vår vårt våra denna detta dessa vad vem vilken vilket när var varför hur till från för med utan i på av om under över mellan genom efter före innan mot hos vid mellan men eller
		så då nu här där också bara redan ännu alltid aldrig igen mer mindre mycket alla allt varje andra annan något inget ingen inga samma eftersom medan sedan dock ju nog
		lägg lägga lade lagt till fixa fixade fixat rätta rättade ändra ändrade ändrat ta tog bort tagit kontrollera kontrollerade skriv skriva skrev skrivit skapa skapade skapat gör göra
		gjorde gjort sätt sätta använd använda använder flytta flyttade flyttat visa visar visade kör köra körde körs fungerar fungera
		fil filen filer raden rader funktion funktionen användare användaren värde värden fel felet nyckel sida sidan knappen sökning fråga svar misslyckas misslyckades går saknas
		nya ny nytt gamla första sista nästa två tre förklara byt bytte ersätt ersatte läser returnerar hanterar hitta hittade tom tomma dubbletter väntar öppen stängd blivit finns vill`,
		`å ä ö -ade -ning -het -lig -tion sk -arna -erna -ar -else ck`,
	},
	{"da", `og at det som en et den de er var være har havde have bliver blev blive kan kunne skal skulle må får vil ikke jeg du han hun vi mig dig os jer min mit mine din dit sin sit
		vores denne dette disse hvad hvem hvilken hvornår hvor hvorfor hvordan til fra for med uden i på af om under over mellem gennem efter før mod hos ved men eller så da nu her der også
		kun allerede endnu altid aldrig igen mere mindre meget alle alt hver andre anden noget intet ingen samme fordi mens siden
		tilføj tilføjet tilføjede ret rettet rettede ændr ændret ændrede fjern fjernet fjernede tjek kontroller skriv skrev skrevet opret oprettet gør gjorde gjort brug bruger bruges flyt flyttet
		vis viser kør kører virker fil filen filer linje linjer funktion bruger brugere værdi værdier fejl nøgle side knap søgning spørgsmål svar fejler mangler nye ny nyt gamle første
		sidste næste to tre forklar omdøb erstat læser returnerer håndterer fandt fundet tom tomme venter åben lukket nogle`, `å æ ø -ede -ning -hed -lig hv- -erne -ene`},
	{"nb", `og å det som en et den de er var være har hadde ha blir ble bli kan kunne skal skulle må får vil ikke jeg du han hun vi meg deg oss dere min mitt mine din ditt sin sitt
		vår våre denne dette disse hva hvem hvilken når hvor hvorfor hvordan til fra for med uten i på av om under over mellom gjennom etter før mot hos ved men eller så da nå her der også
		bare allerede ennå alltid aldri igjen mer mindre mye alle alt hver andre annen noe ingenting ingen samme fordi mens siden
		legg la lagt rett rettet endre endret endra fjern fjernet sjekk sjekket skriv skrev skrevet opprett opprettet gjør gjorde gjort bruk bruker brukes flytt flyttet vis viser kjør
		kjører fungerer filen filer linje linjer funksjon bruker brukere verdi verdier feil nøkkel side knapp søk spørsmål svar feiler mangler nye ny nytt gamle første siste neste to tre
		forklar erstatt leser returnerer håndterer fant funnet tom tomme venter åpen lukket noen`, `å æ ø -et -ning -het -lig hv- -ene -sjon kj- øy ei`},
	{"fi", `ja on ei se että olla ovat oli olivat ole en et emme eivät voi voivat pitää pitäisi täytyy minä sinä hän me te he minun sinun hänen meidän tämä tuo nämä nuo mikä mitä kuka
		missä milloin miksi miten kun jos koska mutta tai sekä kuin niin nyt täällä siellä vain myös vielä jo aina koskaan taas enemmän vähemmän kaikki jokainen toinen sama ilman kanssa ennen
		jälkeen lisää lisätty lisäsin korjaa korjattu korjasin muuta muutettu poista poistettu tarkista kirjoita luo luotu tee tehty käytä käyttää siirrä siirretty näytä aja toimii
		tiedosto tiedostot rivi funktio käyttäjä käyttäjän arvo virhe virheet avain sivu painike haku kysymys vastaus epäonnistuu puuttuu uusi uudet vanha ensimmäinen viimeinen kaksi kolme selitä nimeä
		korvaa lukee palauttaa löytyi tyhjä odottaa auki läpi testit`, `ä ö ää öö aa ii uu -ssa -ssä -sta -stä -lla -llä -nen -tta -ttu -in kk yy`},
	{
		"pl", `i oraz lub albo ale nie jest są był była było były być będzie będą ma mają miał może mogą trzeba należy powinien powinno ja ty on ona ono my wy oni mnie mi cię ci go jej ją
		nas nam was ich im mój moja twój swój swoje nasz ten ta to te tego tej tym tych ci tamten co kto który która które których jaki kiedy gdzie dlaczego jak do od z ze w we na po
		za przed przy przez dla bez pod nad między o u ku według podczas aż jeśli jeżeli gdy bo ponieważ więc czyli żeby aby że czy już jeszcze tylko też także bardzo więcej mniej tak tu tam
		teraz zawsze nigdy znowu nic coś wszystko wszystkie każdy każda inny inne sam sama proszę
		dodaj dodać dodano dodałem dodany popraw poprawić poprawiono poprawiłem napraw naprawić naprawiono naprawiłem naprawiony zmień zmienić zmieniono zmieniłem usuń usunąć usunięto usunąłem sprawdź sprawdzić
		sprawdziłem napisz napisać napisano stwórz utwórz utworzono zrób zrobić zrobione użyj użyć używa przenieś przeniesiono pokaż pokazuje uruchom uruchomić działa działają
		plik pliku pliki plików linia linii funkcja funkcji funkcję użytkownik użytkownika wartość wartości błąd błędu błędy klucz strona strony przycisk wyszukiwanie zapytanie pytanie odpowiedź przechodzą przechodzi brakuje
		nowy nowa nowe nowego stary pierwszy ostatni ostatnia dwa dwie trzy wyjaśnij zastąp zastąpiono czyta zwraca obsługuje znaleziono pusty puste duplikaty czeka zostało otwarty zamknięty się testy`,
		`ą ę ł ś ź ż ć ń ó sz cz rz -ość -ości -anie -enie -ego -ych -ać -ono -owy dz`,
	},
	{
		"cs", `a i nebo ale ne není je jsou byl byla bylo byli být bude budou má mají měl může mohou musí je třeba měl by já ty on ona ono my vy oni mě mi mně tě ti ho mu ji ní nás nám vás
		jich jim můj moje tvůj svůj svoje náš ten ta to ty toho té tom těch tento tato toto tyto co kdo který která které kterých jaký kdy kde proč jak do od z ze v ve na po za před
		při pro bez pod nad mezi o u k ke podle během až jestli jestliže když protože takže že zda aby už ještě jen jenom také taky velmi více méně tak tu tady tam teď nyní vždy nikdy
		znovu nic něco všechno všechny každý jiný sám prosím
		přidej přidat přidáno přidal přidána oprav opravit opraveno opravil opravena změň změnit změněno změnil odstraň odstranit odstraněno odstranil smaž zkontroluj zkontrolovat napiš napsat napsáno vytvoř vytvořit
		vytvořeno udělej udělat uděláno použij použít používá přesuň přesunout přesunuto ukaž zobrazit zobrazuje spusť spustit funguje fungují
		soubor souboru soubory souborů řádek řádku řádky funkce funkci uživatel uživatele uživatelů hodnota hodnoty chyba chybu chyby klíč stránka stránky stránku tlačítko hledání dotaz otázka odpověď selhává selhal procházejí prochází chybí
		nový nová nové starý první poslední dva dvě tři vysvětli přejmenuj přejmenováno nahraď nahrazeno čte vrací ošetřuje našel nalezeno prázdný prázdné duplicity čeká zbývá otevřený zavřený se si testy jsem jsme`,
		`ě ř ů š č ž ý í á é -ní -ost -osti -ovat -eno -áno -ého -ých ch -ji`,
	},
	{"sk", `a aj i alebo ale nie je sú bol bola bolo boli byť bude budú má majú mal môže môžu musí treba mal by ja ty on ona ono my vy oni mňa mi ťa ti ho mu ju nás nám vás ich im môj
		tvoj svoj náš ten tá to tie toho tej tom tých tento táto toto tieto čo kto ktorý ktorá ktoré ktorých aký kedy kde prečo ako do od z zo v vo na po za pred pri pre bez pod nad medzi
		o u k ku podľa počas až ak keď pretože takže že či aby už ešte len iba tiež veľmi viac menej tak tu tam teraz vždy nikdy znova nič niečo všetko všetky každý iný sám prosím
		pridaj pridať pridané pridal oprav opraviť opravené opravil zmeň zmeniť zmenené odstráň odstrániť odstránené skontroluj napíš napísať vytvor vytvoriť vytvorené urob urobiť použi použiť
		používa presuň ukáž zobraziť spusti funguje súbor súboru súbory riadok funkcia funkciu používateľ používateľa hodnota chyba chybu chyby kľúč stránka tlačidlo hľadanie otázka odpoveď
		zlyháva chýba nový nová nové starý prvý posledný dva tri vysvetli nahraď číta vracia prázdny čaká sa si som sme`, `ľ ĺ ŕ ô ä ť ď ň š č ž ý -ť -ov -osť -ené -ého -ia`},
	{
		"hr", `i ili ali ne nije je su bio bila bilo biti bit će ima imaju može mogu mora treba ja ti on ona mi vi oni me mene te ga joj nas nam vas ih im moj tvoj svoj naš ovaj ova ovo taj
		ta to te što šta tko ko koji koja koje kad kada gdje gde zašto kako do od iz s sa u na po za pred pri kroz bez pod nad između o prema tijekom ako jer pa da li već još samo također takođe vrlo više
		manje tako tu tamo sada uvijek uvek nikad opet ništa nešto sve svi svaki drugi isti molim dodaj dodao dodano dodato dodana popravi popravio popravljeno ispravi promijeni promeni promijenjeno ukloni uklonio
		uklonjeno provjeri proveri napiši napisao stvori kreiraj napravi koristi koristiti premjesti pokaži pokreni radi datoteka datoteku fajl redak linija funkcija funkciju korisnik korisnika vrijednost vrednost
		greška grešku greške ključ stranica gumb pretraga pitanje odgovor pada nedostaje novi nova novo stari prvi zadnji dva tri objasni zamijeni čita vraća prazan čeka se sam smo testovi prolaze`,
		`č ć š ž đ -nje -ost -ije lj nj -ih -ti ije`,
	},
	{
		"sl", `in ali pa ne ni je so bil bila bilo biti bo bodo ima imajo lahko mora treba jaz ti on ona mi vi oni me mene te ga jo nas nam vas jih jim moj tvoj svoj naš ta to ti tega te tem
		kaj kdo kateri katera kdaj kje zakaj kako do od iz z s v na po za pred pri skozi brez pod nad med o proti če ker da ali že še samo tudi zelo več manj tako tu tam zdaj vedno nikoli spet
		nič nekaj vse vsi vsak drugi isti prosim dodaj dodal dodano popravi popravil popravljeno spremeni odstrani odstranil preveri napiši ustvari naredi uporabi uporablja premakni pokaži zaženi deluje
		datoteka datoteko datoteke vrstica funkcija funkcijo uporabnik vrednost napaka napako ključ stran gumb iskanje vprašanje odgovor manjka nov nova novo prvi zadnji dva tri razloži zamenjaj bere vrne prazen čaka se sem smo`,
		`č š ž -nje -ost -ega -jo -ih lj -ev`,
	},
	{
		"tr", `ve veya ya da ama fakat değil bir bu şu o ben sen biz siz onlar bana sana ona bize beni seni onu bizi benim senin onun bizim ne kim hangi nerede nasıl neden niçin niye kaç için ile
		gibi kadar göre sonra önce üzerinde altında arasında içinde dışında karşı rağmen eğer çünkü ki mi mı mu mü de da daha en çok az hem her hiç hep bile sadece yalnızca artık şimdi burada orada
		zaten henüz hala tekrar yine tüm bütün bazı başka aynı kendi var yok olan olarak olduğu olduğunu oldu olur olsun olacak oluyor edildi ediyor etti eder yapıldı lütfen
		ekle ekledi ekledim eklendi ekleyin düzelt düzeltildi düzelttim düzeltin değiştir değiştirildi değiştirdim kaldır kaldırıldı kaldırdım sil silindi kontrol et yaz yazıldı yazdım oluştur oluşturuldu oluşturdum
		yap yaptım kullan kullanıyor kullanarak taşı taşındı göster gösteriyor gösterir çalıştır çalışıyor çalışmıyor çalıştırdım
		dosya dosyayı dosyası dosyada dosyaları satır fonksiyon kullanıcı kullanıcının kullanıcılar değer değeri hata hatası hatayı anahtar sayfa sayfası sayfada düğme arama sorgu soru cevap başarısız geçiyor geçti eksik
		yeni eski ilk son iki üç açıkla okuyor döndürüyor bulundu buldum boş bekliyor kaldı açık kapalı testler gerekiyor istiyorum iki kez`,
		`ğ ı ş ç ö ü -lar -ler -ları -leri -mak -mek -dı -di -yor -ında -inde -den -dan -nın -nin -ıyor -iyor`,
	},
	{
		"vi", `và hoặc nhưng không là có được bị đã đang sẽ chưa cho của với trong ngoài trên dưới từ đến tới về theo bằng để vì nên nếu khi mà thì như rồi này đó kia ấy đây tôi bạn anh chị
		em nó họ chúng ta mình ai gì nào đâu sao thế mấy bao nhiêu các những một hai ba mỗi mọi tất cả vài nhiều ít hơn nhất rất quá cũng vẫn còn chỉ lại luôn đừng hãy vui lòng sau trước giữa
		thêm sửa lỗi xóa xoá đổi thay kiểm tra thử viết tạo làm dùng sử dụng chuyển hiển thị chạy hoạt động tệp tập tin dòng hàm người giá trị khóa trang nút tìm kiếm câu hỏi trả lời
		thất bại thiếu mới cũ đầu tiên cuối cùng giải thích đọc ghi xử lý tìm thấy rỗng trùng chờ mở đóng việc cần phải muốn yêu cầu đúng sai xong hết cập nhật bộ phần đặt tên bước chương trình`,
		`ơ ư đ ạ ả ấ ầ ẩ ẫ ậ ắ ằ ẳ ẵ ặ ẹ ẻ ẽ ế ề ể ễ ệ ỉ ị ọ ỏ ố ồ ổ ỗ ộ ớ ờ ở ỡ ợ ụ ủ ứ ừ ử ữ ự ỳ ỵ ỷ ỹ -ng ng- nh- th- tr- kh-`,
	},
	{"ro", `și sau dar nu este e sunt era erau fi fost va vor are au avea poate pot trebuie eu tu el ea noi voi ei ele mă te se ne vă îl o îi le meu mea tău său nostru acest această
		acesta aceasta aceste acel care ce cine când unde cum de ce la din în pe cu fără pentru prin spre până după înainte între sub peste dacă pentru că deoarece atunci mai foarte și încă
		deja doar numai acum aici acolo mereu niciodată nimic ceva tot toate toți fiecare alt alte același iar să
		adaugă adăugat adăugați repară reparat corectează corectat schimbă schimbat elimină eliminat șterge șters verifică verificat scrie scris creează creat fă face făcut folosește folosit mută mutat arată afișează
		rulează funcționează fișier fișierul fișiere linie funcție funcția utilizator utilizatorul utilizatori valoare eroare eroarea erori cheie pagina pagină buton căutare întrebare răspuns eșuează lipsește
		nou nouă vechi primul ultimul doi trei explică redenumit înlocuit citește returnează gestionează găsit gol așteaptă rămas deschis testele`, `ă â î ș ț ş ţ -ul -ului -ea -ții -ție -ește -ează -at -eazã`},
	{
		"hu", `és vagy de nem van vannak volt voltak lesz lett legyen kell lehet tud tudja én te ő mi ti ők engem téged minket nekem neked neki ez az ezt azt ezek azok ami aki amely mikor hol
		miért hogyan hogy mert ha akkor mint csak is már még most itt ott mindig soha újra több kevesebb nagyon minden mindegyik másik ugyanaz egy a után előtt között nélkül szerint alatt felett
		add hozzá hozzáadva javítsd javítva javítottam módosítsd módosítva távolítsd eltávolítva ellenőrizd írd írj írva hozd létre létrehozva csináld használd használja helyezd mutasd futtasd működik fut
		fájl fájlt fájlban sor függvény felhasználó érték hiba hibát kulcs oldal gomb keresés kérdés válasz hiányzik új régi első utolsó két három magyarázd átnevezve olvassa üres vár nyitott meg el ki be fel le tesztek`,
		`ő ű á é í ó ö ü sz gy ny zs -ban -ben -nak -nek -ság -ség -val -vel -ok -ek -ni`,
	},
	{"id", `dan atau tetapi tapi tidak bukan adalah ada ini itu saya kamu anda dia kami kita mereka yang untuk dengan dari ke di pada oleh dalam luar atas bawah antara tanpa sebelum sesudah setelah
		karena jika kalau ketika saat agar supaya sudah belum akan sedang masih juga hanya sangat lebih kurang semua setiap lain sama bisa dapat harus perlu mau ingin apa siapa kapan mana mengapa
		kenapa bagaimana lagi lalu kemudian sekarang sini sana selalu tolong para sebuah secara seperti telah bahwa
		tambah tambahkan menambahkan ditambahkan perbaiki memperbaiki diperbaiki ubah mengubah diubah hapus menghapus dihapus periksa memeriksa tulis menulis ditulis buat membuat dibuat gunakan menggunakan digunakan pindahkan
		tampilkan menampilkan jalankan menjalankan berjalan berfungsi berkas baris fungsi pengguna nilai kesalahan kunci halaman tombol pencarian pertanyaan jawaban gagal lulus hilang baru lama pertama
		terakhir dua tiga jelaskan ganti membaca mengembalikan kosong menunggu terbuka`, `-kan -nya me- ber- di- -an ng ter- pe-`},
	{"ca", `el la els les un una uns unes de del dels al als i o però no és són era ser està estan ha han haver hi pot poden hauria ha de jo tu ell ella nosaltres vosaltres ells em et es ens us
		ho li meu meva teu seu seva aquest aquesta això aquests aquell que què qui quin quan on com per amb sense en entre sobre sota des fins contra abans després si perquè doncs més menys molt
		també encara ja sempre mai res alguna tot tots tota totes altre altra mateix cada ara aquí allà només afegeix afegir afegit corregeix corregir corregit arregla canvia canviar canviat elimina treu comprova
		escriu escriure escrit crea fes fer fet posa usa mou mostra executa funciona fitxer fitxers línia funció usuari usuaris valor errada clau pàgina botó cerca pregunta resposta falla falta nou nova primer últim dos tres explica
		llegeix retorna buit espera queda obert l' d' s' n' vull`, `ç à è ò ï l·l -ció -cions -ment -at -ada -ny ny ix -tge`},
	{"et", `ja või aga ei on oli olid olla ole mina sina tema meie teie nemad mulle minu sinu see need mis kes millal kus miks kuidas et kui sest siis nagu ainult ka veel juba nüüd siin seal alati uuesti rohkem kõik iga teine sama ilma koos enne pärast lisa lisatud paranda parandatud muuda muudetud eemalda eemaldatud kontrolli kirjuta loo tee kasuta näita käivita töötab fail faili rida funktsioon kasutaja väärtus viga võti leht nupp küsimus vastus puudub uus vana esimene viimane kaks kolm selgita tühi ootab testid`, `õ ä ö ü -mine -tud -sse -st -ks aa uu õi`},
	{"lt", `ir arba bet ne nėra yra buvo būti bus turi gali reikia aš tu jis ji mes jūs jie man tau mano tavo šis ši tai tas kas kuris kada kur kodėl kaip jei nes kad tik taip pat dar jau dabar čia ten visada vėl daugiau viskas visi kiekvienas kitas tas pats be su prieš po pridėk pridėta pataisyk pataisyta pakeisk pakeista pašalink pašalinta patikrink parašyk sukurk padaryk naudok parodyk paleisk veikia failas failą eilutė funkcija vartotojas reikšmė klaida raktas puslapis mygtukas klausimas atsakymas trūksta naujas senas pirmas paskutinis du trys paaiškink tuščias laukia testai`, `ė į ų ū ą ę š ž č -as -is -us -ti -imas`},
	{"lv", `un vai bet nav ir bija būt būs var vajag es tu viņš viņa mēs jūs viņi man tev mans tavs šis šī tas kas kurš kad kur kāpēc kā ja jo lai tikai arī vēl jau tagad šeit tur vienmēr atkal vairāk viss visi katrs cits tas pats bez ar pirms pēc pievieno pievienots labo izlabots maini mainīts noņem pārbaudi uzraksti izveido dari lieto parādi palaid strādā fails failu rinda funkcija lietotājs vērtība kļūda atslēga lapa poga jautājums atbilde trūkst jauns vecs pirmais pēdējais divi trīs paskaidro tukšs gaida testi`, `ā ē ī ū ģ ķ ļ ņ š ž č -šana -ts -ija -iem`},
	{"sq", `dhe ose por nuk është janë ishte ka kanë mund duhet unë ti ai ajo ne ju ata më të një ky kjo këto që kush kur ku pse si për me pa në nga te deri pas para nëse sepse vetëm edhe ende tani këtu gjithmonë përsëri më shumë gjithë çdo tjetër shto shtova rregullo ndrysho hiq kontrollo shkruaj krijo bëj përdor trego ekzekuto punon skedar rresht funksion përdorues vlerë gabim çelës faqe buton pyetje përgjigje mungon ri vjetër parë fundit dy tre shpjego bosh pret`, `ë ç sh xh gj nj -imi -ve`},
	{"sw", `na au lakini si ni kwa ya wa za la cha vya katika kutoka hadi bila kabla baada kama kwamba hii huo hiyo hizo hili mimi wewe yeye sisi ninyi wao nini nani lini wapi kwa nini vipi sasa hapa pale bado tayari tena zaidi yote kila nyingine ongeza rekebisha badilisha ondoa angalia andika unda fanya tumia onyesha endesha inafanya kazi faili mstari mtumiaji thamani kosa ukurasa swali jibu mpya kwanza mwisho mbili tatu eleza`, `-sha -ika ku- ki- wa- m- ni-`},
}

var cyrillicLexicons = [...]lexicon{
	{
		"ru", `и в не на я что он с как это а по но они мы она так его за из к у же от то бы о для вы ты все всё только ещё еще уже если или когда где почему чтобы при до под над между без через после
		перед потом теперь здесь там тоже также очень нет да есть был была было были быть будет будут может можно нужно надо должен должна мне меня тебя нас вас их им ему её эта этот эти этого этой этом
		который которая которые какой какая сам себя свой свои другой каждый все всех ничего что-то пожалуйста
		добавь добавить добавил добавлен добавлена исправь исправить исправил исправлен исправлена исправлено исправлены почини измени изменить изменил удали удалить удалил удалён проверь проверить проверил напиши написать написал
		создай создать создал сделай сделать сделал сделано используй использует перенеси перенёс перенесён покажи показывает запусти запустить запустил работает работают
		файл файла файлы файле файлов строка строки строку функция функции функцию пользователь пользователя пользователей значение ошибка ошибку ошибки ключ страница страницы страницу кнопка поиск запрос запросы вопрос ответ падает
		падают проходят прошли не хватает новый новая новое новые старый первый последний два три объясни переименуй замени читает возвращает найден пустой ждёт остался осталось открыт тесты теперь`,
		`ы э ё ъ -ть -ться -ого -ый -ая -ые -ость -ение -ся щ`,
	},
	{"uk", `і й в не на я що він з як це а по але вони ми вона так його за із до у ж від то би про для ви ти все тільки лише ще вже якщо або чи коли де чому щоб при під над між без через після
		перед потім тепер зараз тут там теж також дуже ні так є був була було були бути буде будуть може можна треба потрібно повинен мені мене тебе нас вас їх їм йому її ця цей ці цього цієї цьому
		який яка які сам себе свій свої інший кожен усі всіх нічого щось будь ласка
		додай додати додав додано виправ виправити виправив виправлено полагодь зміни змінити змінив змінено видали видалити видалив видалено перевір перевірити перевірив напиши написати створи створити створено зроби зробити зроблено
		використай використовує перенеси перенесено покажи показує запусти запустити працює працюють
		файл файлу файли файлі рядок рядки функція функції функцію користувач користувача користувачів значення помилка помилку помилки ключ сторінка сторінки сторінку кнопка пошук запит питання відповідь падає падають проходять бракує
		новий нова нове старий перший останній два три поясни перейменуй заміни читає повертає знайдено порожній чекає залишилося відкритий тести`, `і ї є ґ -ти -тися -ого -ій -ість -ення -ння щ`},
	{"be", `і ў не на я што ён з як гэта а па але яны мы яна так яго за да у ж ад бы пра для вы ты усё толькі яшчэ ужо калі або ці дзе чаму каб пры пад над між без праз пасля цяпер тут там таксама вельмі
		няма ёсць быў была было былі быць будзе можа трэба мне мяне дадай дадаць выпраў выпраўлена змяні выдалі правер напішы ствары зрабі выкарыстоўвае пакажы запусці працуе файл радок функцыя карыстальнік
		памылка памылку старонка пытанне адказ новы першы апошні два тры тэсты`, `ў і ё э ы -ць -цца дз -аў -ення`},
	{"bg", `и в не на аз че той с като това а по но те ние тя така го за от до у се ще би вие ти всичко само още вече ако или когато къде защо за да при под над между без чрез след преди сега тук там също
		много няма да има беше бяха съм е са сме сте може трябва мен тебе нас вас тях им този тази тези който която които какъв сам свой друг всеки всички нищо нещо моля
		добави добавих добавен добавена добавено поправи поправих поправен поправена промени промених премахни премахнах премахнат провери проверих напиши написах създай създадох направи използвай използва премести покажи показва пусни стартирай
		работи работят файл файла файлове ред функция функцията потребител потребителя потребителите стойност грешка грешката грешки ключ страница страницата бутон търсене заявка въпрос отговор липсва минават
		нов нова ново стар първи последен две три обясни преименувай замени чете връща намерен празен чака остава отворен тестове тестовете`, `ъ щ -ът -та -то -те -ите -ване -ние`},
	{"sr", `и у не на ја што шта да је су он с са као то ово а по али они ми она тако га за из до од се би ви ти све само још већ ако или кад када где зашто при под над између без кроз после пре сада овде тамо
		такође врло нема има био била било бити ће може треба мене тебе нас вас њих им овај ова ове који која које сам свој други сваки ништа нешто молим додај додао додато поправи поправио поправљено промени уклони
		уклоњено провери напиши направи креирај користи премести покажи покрени ради раде фајл датотека линија функција функцију корисник корисника вредност грешка грешку кључ страница дугме претрага питање одговор
		пада недостаје нови нова прво последњи два три објасни замени чита враћа празан чека тестови пролазе`, `ј љ њ ћ ђ џ -ње -ити -ост`},
	{"mk", `и во не на јас што дека тој со како ова а по но тие ние таа така го за од до се ќе би вие ти сè само уште веќе ако или кога каде зошто при под над меѓу без преку после пред сега тука таму исто
		многу нема има беше биде може треба мене тебе нас вас нив им овој оваа овие кој која кои сам свој друг секој ништо нешто додај додадов поправи поправена промени отстрани провери напиши направи користи премести
		покажи пушти работи датотека ред функција корисник вредност грешка клуч страница копче прашање одговор нов прв последен два три тестови`, `ѓ ќ ѕ ј љ њ џ -та -то -от -ње`},
}

var arabicLexicons = [...]lexicon{
	{"ar", `في من على إلى الى أن ان هذا هذه التي الذي لا ما لم لن هو هي هل كان كانت يكون مع عن بعد قبل عند كل بعض غير بين حتى إذا اذا لكن ثم أو او و قد تم يتم لأن كما أيضا أيضاً فقط الآن هنا هناك يجب يمكن
		أضف إضافة اضافة أصلح إصلاح اصلاح تعديل غير تغيير احذف حذف تحقق اكتب كتابة أنشئ إنشاء استخدم نقل أظهر شغل تشغيل يعمل تعمل الملف ملف الدالة المستخدم المستخدمين القيمة الخطأ خطأ المفتاح الصفحة صفحة الزر البحث
		السؤال الإجابة فشل تفشل نجحت ينقص جديد جديدة القديم الأول الأخير اشرح استبدل قراءة فارغ ينتظر بقي الاختبارات الاختبار مرتين بدلا من عدد`, `ال- ة ى أ إ -ات -ون -ين ث ض ظ`},
	{"fa", `در از به که این آن را با برای است نیست بود بودند شد شده می نمی باید هم و یا اما اگر چون تا بر هر همه هیچ دیگر خود من تو او ما شما آنها چه چرا چگونه کجا کی پس قبل بعد بین بدون فقط هنوز حالا اکنون
		لطفا لطفاً اضافه کن کردم کرد کنید شود شدند درست اصلاح تغییر حذف بررسی بنویس نوشته ایجاد ساخت استفاده انتقال نشان بده اجرا کار میکند می‌کند فایل فایل‌ها خط تابع کاربر کاربران مقدار خطا خطای کلید صفحه دکمه جستجو پرسش پاسخ
		جدید قدیمی اول آخر دو سه توضیح خالی منتظر باز آزمون تست‌ها`, `پ چ ژ گ ک ی می‌ -ها -های -ند`},
	{
		"ur", `میں سے کو کا کی کے کہ یہ وہ ہے ہیں تھا تھے تھی نہیں اور یا لیکن اگر کیونکہ تک پر ہر سب کوئی دوسرا خود میں تم آپ ہم وہاں یہاں کیا کیوں کیسے کہاں کب پھر پہلے بعد بغیر صرف ابھی اب براہ کرم شامل کریں کرو کیا گیا گئی گئے
		ٹھیک درست تبدیل حذف جانچ لکھو لکھیں بنائیں استعمال منتقل دکھائیں چلائیں کام کرتا کرتی فائل لائن فنکشن صارف صارفین غلطی صفحہ بٹن تلاش سوال جواب ناکام نیا نئی پرانا پہلا آخری دو تین وضاحت خالی ٹیسٹ ہو رہا رہی`,
		`ٹ ڈ ڑ ں ے ہ ھ گ پ چ -یں -وں`,
	},
}
