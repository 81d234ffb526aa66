/// Sentences of the API about what people write in forms. Words in braces stand for a value, which is in quotes or one word; `{list}`
/// for any words, and `{fact}` and `{what}` for another of these sentences.
extension FaultText {
    /// Faults and remarks about the fields of a link.
    static let linkFacts: [FaultText] = [
        // The short name.
        FaultText("{slug} is taken", "{slug} gibt es schon"),
        FaultText(
            "line {line} has the slug {slug}, too",
            "Zeile {line} hat den Kurznamen {slug} auch",
            en: "line {line} has the short name {slug}, too"),
        FaultText(
            "{slug} belonged to a link that was deleted",
            "{slug} gehörte zu einem Link, der gelöscht ist"),
        FaultText(
            "{slug} is reserved: {fact}",
            "{slug} ist reserviert: {fact}",
            en: "{slug} is reserved: {fact}"),
        FaultText(
            "programs request this name by themselves", "Programme fragen von sich aus danach"),
        FaultText(
            "Waymark's own paths begin with _",
            "Waymarks eigene Pfade beginnen mit _",
            en: "the server’s own paths begin with _"),
        FaultText(
            "RFC 8615 reserves it",
            "RFC 8615 hält ihn frei",
            en: "it is kept for files that other programs look for"),
        FaultText(
            "scanners request such names",
            "Angriffsprogramme suchen nach solchen Namen",
            en: "programs that look for holes ask for such names"),
        FaultText(
            "{slug} makes no URL that is served",
            "{slug} ergibt keine Adresse dieses Servers",
            en: "no address of this server can end with {slug}"),
        FaultText(
            "{path} is answered with {what}",
            "Unter {path} ist schon etwas anderes: {what}",
            en: "something else is at {path} already: {what}"),
        FaultText("a path that is reserved", "ein reservierter Pfad"),
        FaultText("link {link}", "der Link {link}"),
        FaultText(
            "the URL has {count} bytes; its QR code is fine from {most} on",
            "Die Adresse hat {count} Bytes; ab {most} wird ihr QR-Code feiner",
            en: "the address has {count} bytes; from {most} on, its code has smaller dots"),
        // The destination.
        FaultText(
            "{host} is not in `destinations` of {collection}: {list}",
            "{host} ist in der Sammlung {collection} nicht erlaubt. Erlaubt ist: {list}",
            en: "{host} is not allowed in the collection {collection}. Allowed is: {list}"),
        FaultText(
            "the stores are not in `destinations` of {collection}",
            "Die App-Stores sind in der Sammlung {collection} nicht erlaubt",
            en: "the app stores are not allowed in the collection {collection}"),
        FaultText(
            "{url} is a stored link itself",
            "{url} ist selbst ein Link dieses Servers",
            en: "{url} is itself a link of this server"),
        FaultText(
            "the URL has {count} bytes, may have {most}",
            "Die Adresse hat {count} Bytes, höchstens {most} sind möglich",
            en: "the address has {count} bytes, at most {most} are possible"),
        FaultText(
            "in {url}, a percent sign is not followed by two hexadecimal digits",
            "In {url} stehen nach einem Prozentzeichen keine zwei hexadezimalen Ziffern",
            en: "in {url}, two hexadecimal digits must follow a percent sign"),
        FaultText(
            "{url} holds a % that begins no escape",
            "In {url} stehen nach einem Prozentzeichen keine zwei hexadezimalen Ziffern",
            en: "in {url}, two hexadecimal digits must follow a percent sign"),
        FaultText("{url}: {fact}", "{url}: {fact}", en: "{url}: {fact}"),
        FaultText(
            "a URL must begin with https:// or http://",
            "Eine Adresse beginnt mit https:// oder http://",
            en: "an address begins with https:// or http://"),
        FaultText(
            "a URL cannot contain a user name or a password",
            "Eine Adresse darf keinen Benutzernamen und kein Passwort haben",
            en: "an address cannot have a user name or a password"),
        FaultText(
            "the URL has no host",
            "Der Adresse fehlt der Host",
            en: "the address has no host"),
        FaultText(
            "the URL's host is not in ASCII",
            "Der Host ist nicht in ASCII",
            en: "the host has letters that no address has"),
        FaultText(
            "the URL's host is not a host name",
            "Der Host ist kein Hostname",
            en: "the host is no name of a host"),
        FaultText(
            "the URL's port must be 1 to 65535",
            "Der Port muss zwischen 1 und 65535 liegen",
            en: "the port must be 1 to 65535"),
        FaultText(
            "the URL's character at byte {place} must be percent-encoded",
            "Das Zeichen an Stelle {place} ist in einer Adresse nur als %XX möglich",
            en: "an address can have the character at place {place} only as %XX"),
        FaultText(
            "{text} is neither an action, nor a path that begins with /, nor an https:// URL",
            "{text} ist keine Adresse mit https:// und kein Pfad, der mit / beginnt",
            en: "{text} is no address with https://, and no path that begins with /"),
        FaultText(
            "{text} has a host but no scheme",
            "In {text} fehlt https:",
            en: "{text} lacks https:"),
        FaultText(
            "page {path} contains a ?, a # or a backslash",
            "In {path} steht ein ?, ein # oder ein umgekehrter Schrägstrich",
            en: "{path} has a ?, a # or a backslash"),
        FaultText(
            "page {path} contains a . or .. segment",
            "In {path} steht ein Abschnitt . oder ..",
            en: "{path} has a part that is . or .."),
        // Texts.
        FaultText(
            "{key} contains a control character: {text}",
            "Hier steht ein Zeichen, das man nicht sieht: {text}",
            en: "here is a character that cannot be seen: {text}"),
        FaultText("{key} is an empty text", "Hier steht nichts", en: "nothing is written here"),
        FaultText("{key} has no value", "Hier fehlt ein Wert", en: "a value is missing here"),
        FaultText("{key} is empty", "Hier steht nichts", en: "nothing is written here"),
        FaultText(
            "{key} must be a mapping, not a text",
            "Jede Zeile ist name=wert",
            en: "each line is name=value"),
        FaultText(
            "a tag has at most {most} bytes, this one {count}",
            "Ein Schlagwort hat höchstens {most} Bytes, dieses {count}",
            en: "a tag has at most {most} bytes, this one {count}"),
        FaultText(
            "a name has at most {most} bytes, this one {count}",
            "Ein Name hat höchstens {most} Bytes, dieser {count}",
            en: "a name has at most {most} bytes, this one {count}"),
        FaultText(
            "an identifier has at most {most} bytes, this one {count}",
            "Ein Name in einem anderen System hat höchstens {most} Bytes, dieser {count}",
            en: "a name in another system has at most {most} bytes, this one {count}"),
        FaultText(
            "the link has {count} tags, may have {most}",
            "Der Link hat {count} Schlagwörter, höchstens {most} sind möglich"),
        FaultText(
            "the note has {count} bytes, may have {most}",
            "Die Notiz hat {count} Bytes, höchstens {most} sind möglich",
            en: "the note has {count} bytes, at most {most} are possible"),
        FaultText(
            "page, web, campaign, after and app have {count} bytes as JSON, may have {most}",
            "Texte der Seite, Ziele je Gerät und Daten für die App haben zusammen {count} Bytes, höchstens {most} sind möglich",
            en:
                "the texts of the page, the destinations by device and the data for the app have {count} bytes together, at most {most} are possible"
        ),
        FaultText(
            "{what} has more than {most} combining marks in a row",
            "Im Text stehen mehr als {most} Zeichen, die sich übereinander legen, hintereinander",
            en: "more than {most} marks that are put over a letter follow each other"),
        FaultText("{key} is there twice", "{key} ist zweimal da"),
        // Collections, apps and files.
        FaultText(
            "collection is {name}: the only collection is {other}",
            "Die Sammlung {name} gibt es nicht, es gibt nur {other}",
            en: "there is no collection {name}, there is only {other}"),
        FaultText(
            "collection is {name}: the only collection is {other}; did you mean {near}?",
            "Die Sammlung {name} gibt es nicht, es gibt nur {other}",
            en: "there is no collection {name}, there is only {other}"),
        FaultText(
            "collection is {name}: the collections are {list}; did you mean {near}?",
            "Die Sammlung {name} gibt es nicht; es gibt {list}; meinst du {near}?",
            en: "there is no collection {name}; there are {list}; did you mean {near}?"),
        FaultText(
            "collection is {name}: the collections are {list}",
            "Die Sammlung {name} gibt es nicht; es gibt {list}",
            en: "there is no collection {name}; there are {list}"),
        FaultText(
            "collection is {name}: the configuration has no link with `stored`",
            "Die Sammlung {name} gibt es nicht, und auch keine andere",
            en: "there is no collection {name}, and no other"),
        FaultText("there is no collection {name}", "Die Sammlung {name} gibt es nicht"),
        FaultText(
            "no app opens the link, because `publish` does not have {name}",
            "Keine App öffnet den Link: Seine Sammlung {name} ist für keine veröffentlicht",
            en: "no app opens the link: its collection {name} is published for none"),
        FaultText(
            "an app opens the destination, but after a redirect iOS mostly stays in the browser",
            "Eine App öffnet das Ziel, aber nach einer Weiterleitung bleibt iOS meist im Browser"),
        FaultText("the site has no file {path}", "Die Website hat die Datei {path} nicht"),
        FaultText(
            "browsers and previews do not load an image over http in a page over https",
            "Browser und Vorschauen laden ein Bild über http nicht in eine Seite mit https"),
        // An address that is tried.
        FaultText("url is {url}: {fact}", "{url}: {fact}", en: "{url}: {fact}"),
        FaultText(
            "a link must begin with https:// or http://",
            "Ein Link beginnt mit https:// oder http://"),
        FaultText("the link has no host", "Dem Link fehlt der Host"),
        FaultText("the link's host cannot contain {text}", "Im Host kann nicht {text} stehen"),
        FaultText(
            "the link's port must be a number up to 65535",
            "Der Port muss eine Zahl bis 65535 sein"),
        FaultText("the link is not UTF-8", "Der Link ist nicht in UTF-8"),
        FaultText(
            "the link has a control character at byte {place}",
            "An Stelle {place} steht ein Zeichen, das man nicht sieht"),
        FaultText(
            "{host} is no host of a site that is served here",
            "{host} ist kein Host dieses Servers"),
        FaultText(
            "nothing has this name here, or it is of a collection that the token is not for",
            "Das gibt es hier nicht, oder es gehört zu einer Sammlung, die du nicht sehen darfst",
            en: "there is no such thing here, or it is of a collection that you cannot see"),
    ]

    /// Advice on these faults and remarks.
    static let linkAdvice: [FaultText] = [
        FaultText("did you mean {name}?", "meinst du {name}?"),
        FaultText("choose another", "wähle einen anderen"),
        FaultText("choose another slug", "wähle einen anderen", en: "choose another"),
        FaultText(
            "choose another: printed codes would lead elsewhere",
            "wähle einen anderen: Gedruckte Codes führten sonst woandershin"),
        FaultText("choose a shorter one", "wähle etwas Kürzeres"),
        FaultText("choose a shorter name", "wähle einen kürzeren Namen"),
        FaultText("shorten it", "kürze ihn"),
        FaultText(
            "lead elsewhere, or let an engineer add it",
            "nimm ein anderes Ziel oder lass es freischalten",
            en: "choose another destination, or ask whoever runs this server to allow it"),
        FaultText(
            "lead elsewhere: only the scheme's own port is allowed",
            "wähle ein anderes Ziel: Erlaubt ist nur der Port, den https oder http selbst hat",
            en: "choose another destination: only the port that https or http itself has is allowed"
        ),
        FaultText(
            "add `store` there, or choose another action",
            "wähle etwas anderes oder lass sie freischalten",
            en: "choose something else, or ask whoever runs this server to allow them"),
        FaultText(
            "lead to its destination",
            "nimm dessen Ziel",
            en: "lead to where that one leads"),
        FaultText(
            "lead to a shorter one, which your site redirects",
            "nimm eine kürzere, die deine Website weiterleitet"),
        FaultText("write %25 for a percent sign", "schreib %25 für ein Prozentzeichen"),
        FaultText("remove the blank at its beginning", "entferne das Leerzeichen am Anfang"),
        FaultText("remove the blank at its end", "entferne das Leerzeichen am Ende"),
        FaultText(
            "remove the user name, the password and the @",
            "entferne Benutzername, Passwort und das @"),
        FaultText(
            "write the port of a server behind the host, or none",
            "schreib den Port eines Servers hinter den Host oder keinen"),
        FaultText("write the host behind ://", "schreib den Host hinter ://"),
        FaultText(
            "write a host of letters, digits, hyphens and full stops",
            "ein Host hat Buchstaben, Ziffern, Bindestriche und Punkte"),
        FaultText(
            "write each character that no URL has as %XX",
            "schreib Zeichen, die keine Adresse hat, als %XX",
            en: "write each character that no address has as %XX"),
        FaultText(
            "write a host of another script in its form xn--…, and other characters as %XX",
            "schreib einen Host in anderer Schrift als xn--… und andere Zeichen als %XX"),
        FaultText(
            "write the whole URL: {url}",
            "schreib die ganze Adresse: {url}",
            en: "write the whole address: {url}"),
        FaultText(
            "write it as a browser's address bar copies it",
            "kopiere sie aus der Adresszeile des Browsers"),
        FaultText(
            "write the https:// URL of a page or a service",
            "schreib die Adresse einer Seite mit https://",
            en: "write the address of a page, with https://"),
        FaultText(
            "write the URL behind the status: {url}",
            "schreib die Adresse hinter die Zahl: {url}",
            en: "write the address behind the number: {url}"),
        FaultText(
            "write a file of the public directory as its URL path: {path}",
            "schreib eine Datei der Website als Pfad: {path}",
            en: "write a file of the website as its path: {path}"),
        FaultText(
            "write a public file as its URL path, beginning with /",
            "schreib eine Datei der Website als Pfad, der mit / beginnt",
            en: "write a file of the website as its path, which begins with /"),
        FaultText(
            "write {url}, or one slash for a public file",
            "schreib {url}, oder einen Schrägstrich für eine Datei der Website",
            en: "write {url}, or one slash for a file of the website"),
        FaultText(
            "write only the path of a public file; another page is an https:// URL",
            "schreib nur den Pfad einer Datei; eine andere Seite ist eine Adresse mit https://",
            en: "write only the path of a file; another page is an address with https://"),
        FaultText(
            "write the path of a file below the public directory, without it",
            "schreib den Pfad der Datei ohne ihn",
            en: "write the path of the file without it"),
        FaultText("remove it", "entferne es"),
        FaultText("write the value", "schreib den Wert selbst"),
        FaultText("remove the character", "entferne es"),
        FaultText(
            "add a value, or remove the key",
            "schreib etwas oder lass es weg",
            en: "write something, or leave it out"),
        FaultText(
            "write a value, or leave the member out",
            "schreib etwas oder lass es weg",
            en: "write something, or leave it out"),
        FaultText("leave some out", "lass welche weg"),
        FaultText("keep what is long elsewhere", "heb Langes woanders auf"),
        FaultText(
            "remove the marks; no language has so many",
            "entferne sie; keine Sprache hat so viele"),
        FaultText("the only collection is {name}", "es gibt nur {name}"),
        FaultText("the collections are {list}", "es gibt {list}"),
        FaultText(
            "put it into the directory `public`, or name another",
            "lass sie dort ablegen oder nenne eine andere",
            en: "have it put there, or name another"),
        FaultText(
            "write https:// if its host has it", "schreib https://, wenn der Host es kann"),
        FaultText(
            "write it as GET /v1/openapi.json describes it",
            "schreib es in der anderen Form",
            en: "write it in the other form"),
        // Behind all others that begin so.
        FaultText("write {text}", "schreib {text}"),
    ]
}
