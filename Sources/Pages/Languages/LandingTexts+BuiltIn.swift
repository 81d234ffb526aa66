extension LandingTexts {
    /// By language, in the order of the names. `{browser}` is the app whose browser shows the page,
    /// `{app}` the app that the page offers.
    static let builtIn = [
        "ar": [
            "الفتح في التطبيق", "احصل على التطبيق", "متوفر على App Store", "متوفر على Google Play",
            "المتابعة على الويب", "امسح الرمز للفتح على هاتفك",
            "وجّه كاميرا هاتفك نحو الرمز لفتح هذه الصفحة في التطبيق.", "رمز QR لهذا الرابط",
            "افتح هذه الصفحة في متصفحك",
            "يعرض {browser} هذه الصفحة في متصفحه الخاص الذي لا يستطيع فتح التطبيق. افتح القائمة "
                + "واختر «فتح في المتصفح».", "أو انسخ هذا العنوان:",
            "لم يحدث شيء؟ افتح التطبيق مباشرة",
            "‏Google Play وشعار Google Play علامتان تجاريتان لشركة Google LLC.",
        ],
        "de": [
            "In der App öffnen", "App laden", "Im App Store laden", "Bei Google Play laden",
            "Weiter im Web", "Scannen und auf dem Handy öffnen",
            "Richte die Kamera deines Handys auf den Code, um diese Seite in der App zu öffnen.",
            "QR-Code dieses Links", "Öffne diese Seite in deinem Browser",
            "{browser} zeigt diese Seite im eigenen Browser, der die App nicht öffnen kann. Öffne "
                + "das Menü und wähle „Im Browser öffnen“.", "Oder kopiere diese Adresse:",
            "Nichts passiert? App direkt öffnen",
            "Google Play und das Google Play-Logo sind Marken von Google LLC.",
        ],
        "en": [
            "Open in the app", "Get the app", "Get it on the App Store", "Get it on Google Play",
            "Continue on the web", "Scan to open on your phone",
            "Point your phone’s camera at the code to open this page in the app.",
            "QR code of this link", "Open this page in your browser",
            "{browser} shows this page in a browser of its own, which cannot open the app. Open "
                + "the menu and choose “Open in browser”.", "Or copy this address:",
            "Nothing happened? Open the app directly",
            "Google Play and the Google Play logo are trademarks of Google LLC.",
        ],
        "es": [
            "Abrir en la app", "Consigue la app", "Consíguela en el App Store",
            "Disponible en Google Play", "Continuar en la web", "Escanea para abrir en tu móvil",
            "Apunta con la cámara de tu móvil al código para abrir esta página en la app.",
            "Código QR de este enlace", "Abre esta página en tu navegador",
            "{browser} muestra esta página en su propio navegador, que no puede abrir la app. Abre "
                + "el menú y elige «Abrir en el navegador».", "O copia esta dirección:",
            "¿No ha pasado nada? Abre la app directamente",
            "Google Play y el logotipo de Google Play son marcas comerciales de Google LLC.",
        ],
        "fr": [
            "Ouvrir dans l’app", "Obtenir l’app", "Télécharger dans l’App Store",
            "Disponible sur Google Play", "Continuer sur le web",
            "Scannez pour ouvrir sur votre téléphone",
            "Pointez l’appareil photo de votre téléphone vers le code pour ouvrir cette page dans "
                + "l’app.", "Code QR de ce lien", "Ouvrez cette page dans votre navigateur",
            "{browser} affiche cette page dans son propre navigateur, qui ne peut pas ouvrir "
                + "l’app. Ouvrez le menu et choisissez « Ouvrir dans le navigateur ».",
            "Ou copiez cette adresse :",
            "Rien ne s’est passé ? Ouvrir l’app directement",
            "Google Play et le logo Google Play sont des marques de Google LLC.",
        ],
        "he": [
            "פתיחה באפליקציה", "להורדת האפליקציה", "להורדה מ-App Store", "להורדה מ-Google Play",
            "המשך באתר", "סרקו כדי לפתוח בטלפון",
            "כוונו את מצלמת הטלפון אל הקוד כדי לפתוח את הדף באפליקציה.", "קוד QR של הקישור",
            "פתחו את הדף בדפדפן",
            "‏{browser} מציג את הדף בדפדפן משלו, שאינו יכול לפתוח את האפליקציה. פתחו את התפריט "
                + "ובחרו ב„פתיחה בדפדפן”.", "או העתיקו את הכתובת:",
            "לא קרה דבר? פתחו את האפליקציה ישירות",
            "‏Google Play והלוגו של Google Play הם סימנים מסחריים של Google LLC.",
        ],
        "it": [
            "Apri nell’app", "Scarica l’app", "Scarica da App Store", "Disponibile su Google Play",
            "Continua sul web", "Inquadra per aprire sul telefono",
            "Inquadra il codice con la fotocamera del telefono per aprire questa pagina nell’app.",
            "Codice QR di questo link", "Apri questa pagina nel browser",
            "{browser} mostra questa pagina in un proprio browser, che non può aprire l’app. Apri "
                + "il menu e scegli “Apri nel browser”.", "Oppure copia questo indirizzo:",
            "Non è successo nulla? Apri direttamente l’app",
            "Google Play e il logo di Google Play sono marchi di Google LLC.",
        ],
        "ja": [
            "アプリで開く", "アプリを入手", "App Storeで入手", "Google Playで手に入れよう", "ウェブで続ける",
            "スマートフォンで読み取って開く", "スマートフォンのカメラでコードを読み取ると、このページがアプリで開きます。",
            "このリンクのQRコード", "ブラウザで開いてください",
            "{browser}内のブラウザからはアプリを開けません。メニューから「ブラウザで開く」を選んでください。",
            "または、このアドレスをコピーしてください：", "何も起こらない場合はアプリを直接開く",
            "Google Play および Google Play ロゴは、Google LLC の商標です。",
        ],
        "nl": [
            "Openen in de app", "Download de app", "Download in de App Store",
            "Ontdek het op Google Play", "Verder op het web", "Scan om op je telefoon te openen",
            "Richt de camera van je telefoon op de code om deze pagina in de app te openen.",
            "QR-code van deze link", "Open deze pagina in je browser",
            "{browser} toont deze pagina in een eigen browser, die de app niet kan openen. Open "
                + "het menu en kies ‘Openen in browser’.", "Of kopieer dit adres:",
            "Gebeurde er niets? Open de app direct",
            "Google Play en het Google Play-logo zijn handelsmerken van Google LLC.",
        ],
        "pl": [
            "Otwórz w aplikacji", "Pobierz aplikację", "Pobierz z App Store",
            "Pobierz z Google Play", "Kontynuuj w przeglądarce",
            "Zeskanuj, aby otworzyć na telefonie",
            "Skieruj aparat telefonu na kod, aby otworzyć tę stronę w aplikacji.",
            "Kod QR tego linku", "Otwórz tę stronę w przeglądarce",
            "{browser} pokazuje tę stronę we własnej przeglądarce, która nie może otworzyć "
                + "aplikacji. Otwórz menu i wybierz „Otwórz w przeglądarce”.",
            "Albo skopiuj ten adres:", "Nic się nie stało? Otwórz aplikację bezpośrednio",
            "Google Play i logo Google Play są znakami towarowymi Google LLC.",
        ],
        "pt": [
            "Abrir no app", "Baixe o app", "Baixar na App Store", "Disponível no Google Play",
            "Continuar na web", "Escaneie para abrir no celular",
            "Aponte a câmera do celular para o código para abrir esta página no app.",
            "Código QR deste link", "Abra esta página no seu navegador",
            "{browser} mostra esta página em um navegador próprio, que não consegue abrir o app. "
                + "Abra o menu e escolha “Abrir no navegador”.", "Ou copie este endereço:",
            "Nada aconteceu? Abra o app diretamente",
            "Google Play e o logotipo do Google Play são marcas comerciais da Google LLC.",
        ],
        "tr": [
            "Uygulamada aç", "Uygulamayı edin", "App Store’dan indir", "Google Play’den alın",
            "Web’de devam et", "Telefonda açmak için tara",
            "Bu sayfayı uygulamada açmak için telefonunuzun kamerasını koda tutun.",
            "Bu bağlantının QR kodu", "Bu sayfayı tarayıcınızda açın",
            "{browser} bu sayfayı uygulamayı açamayan kendi tarayıcısında gösteriyor. Menüyü açıp "
                + "“Tarayıcıda aç” seçeneğini belirleyin.", "Ya da bu adresi kopyalayın:",
            "Bir şey olmadı mı? Uygulamayı doğrudan açın",
            "Google Play ve Google Play logosu, Google LLC’nin ticari markalarıdır.",
        ],
        "zh": [
            "在应用中打开", "获取应用", "前往 App Store 下载", "前往 Google Play 下载", "继续使用网页版", "扫码在手机上打开",
            "将手机摄像头对准二维码，即可在应用中打开此页面。", "此链接的二维码", "请在浏览器中打开此页面",
            "{browser} 正在用内置浏览器显示此页面，无法打开应用。请打开菜单并选择“在浏览器中打开”。", "或复制此网址：",
            "没有反应？直接打开应用", "Google Play 和 Google Play 徽标是 Google LLC 的商标。",
        ],
    ]
}
