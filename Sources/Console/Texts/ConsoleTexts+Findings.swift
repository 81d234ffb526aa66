/// Sentences of the API about what people write in forms, as it says them and in German. Words in braces stand for a value, which
/// is in quotes or one word; `{list}` for any words, and `{fact}` and `{what}` for another of these sentences.
extension ConsoleText {
    /// Faults and remarks about the fields of a link.
    static let linkFacts: [ConsoleText] = [
        // The short name.
        ConsoleText("{slug} is taken", "{slug} gibt es schon"),
        ConsoleText(
            "line {line} has the slug {slug}, too", "Zeile {line} hat den Kurznamen {slug} auch"),
        ConsoleText(
            "{slug} belonged to a link that was deleted",
            "{slug} gehörte zu einem Link, der gelöscht ist"),
        ConsoleText("{slug} is reserved: {fact}", "{slug} ist reserviert: {fact}"),
        ConsoleText(
            "programs request this name by themselves", "Programme fragen von sich aus danach"),
        ConsoleText(
            "Waymark's own paths begin with _", "Waymarks eigene Pfade beginnen mit _"),
        ConsoleText("RFC 8615 reserves it", "RFC 8615 hält ihn frei"),
        ConsoleText("scanners request such names", "Angriffsprogramme suchen nach solchen Namen"),
        ConsoleText(
            "{slug} makes no URL that is served", "{slug} ergibt keine Adresse dieses Servers"),
        ConsoleText(
            "{path} is answered with {what}", "Unter {path} ist schon etwas anderes: {what}"),
        ConsoleText("a path that is reserved", "ein reservierter Pfad"),
        ConsoleText("link {link}", "der Link {link}"),
        ConsoleText(
            "the URL has {count} bytes; its QR code is fine from {most} on",
            "Die Adresse hat {count} Bytes; ab {most} wird ihr QR-Code feiner"),
        // The destination.
        ConsoleText(
            "{host} is not in `destinations` of {collection}: {list}",
            "{host} ist in der Sammlung {collection} nicht erlaubt. Erlaubt ist: {list}"),
        ConsoleText(
            "the stores are not in `destinations` of {collection}",
            "Die App-Stores sind in der Sammlung {collection} nicht erlaubt"),
        ConsoleText(
            "{url} is a stored link itself", "{url} ist selbst ein Link dieses Servers"),
        ConsoleText(
            "the URL has {count} bytes, may have {most}",
            "Die Adresse hat {count} Bytes, höchstens {most} sind möglich"),
        ConsoleText(
            "in {url}, a percent sign is not followed by two hexadecimal digits",
            "In {url} stehen nach einem Prozentzeichen keine zwei hexadezimalen Ziffern"),
        ConsoleText(
            "{url} holds a % that begins no escape",
            "In {url} stehen nach einem Prozentzeichen keine zwei hexadezimalen Ziffern"),
        ConsoleText("{url}: {fact}", "{url}: {fact}"),
        ConsoleText(
            "a URL must begin with https:// or http://",
            "Eine Adresse beginnt mit https:// oder http://"),
        ConsoleText(
            "a URL cannot contain a user name or a password",
            "Eine Adresse darf keinen Benutzernamen und kein Passwort haben"),
        ConsoleText("the URL has no host", "Der Adresse fehlt der Host"),
        ConsoleText("the URL's host is not in ASCII", "Der Host ist nicht in ASCII"),
        ConsoleText("the URL's host is not a host name", "Der Host ist kein Hostname"),
        ConsoleText(
            "the URL's port must be 1 to 65535", "Der Port muss zwischen 1 und 65535 liegen"),
        ConsoleText(
            "the URL's character at byte {place} must be percent-encoded",
            "Das Zeichen an Stelle {place} ist in einer Adresse nur als %XX möglich"),
        ConsoleText(
            "{text} is neither an action, nor a path that begins with /, nor an https:// URL",
            "{text} ist keine Adresse mit https:// und kein Pfad, der mit / beginnt"),
        ConsoleText("{text} has a host but no scheme", "In {text} fehlt https:"),
        ConsoleText(
            "page {path} contains a ?, a # or a backslash",
            "In {path} steht ein ?, ein # oder ein umgekehrter Schrägstrich"),
        ConsoleText(
            "page {path} contains a . or .. segment", "In {path} steht ein Abschnitt . oder .."),
        // Times.
        ConsoleText(
            "{time} is over, so nobody would get the link",
            "{time} ist vorbei, niemand bekäme den Link"),
        ConsoleText(
            "{what} never begins: `until` {until} is not later than `from` {from}",
            "Der Link beginnt nie: Das Ende {until} liegt nicht nach dem Beginn {from}"),
        ConsoleText(
            "{what} has `after` but no `until`, so it does not end",
            "Der Link hat etwas für danach, aber kein Ende"),
        ConsoleText(
            "{time} is a day, and a day begins at another moment in each zone",
            "{time} ist ein Tag, und der beginnt in jeder Zeitzone zu einer anderen Zeit"),
        ConsoleText(
            "{time} has no zone, so it is another moment in each country",
            "{time} hat keine Zeitzone und ist in jedem Land ein anderer Moment"),
        ConsoleText(
            "{time} is not a moment of the calendar between 1970 and 9999",
            "{time} gibt es im Kalender zwischen 1970 und 9999 nicht"),
        ConsoleText("{time} is not a time with its zone", "{time} ist keine Zeit mit Zeitzone"),
        // Texts.
        ConsoleText(
            "{key} contains a control character: {text}",
            "Hier steht ein Zeichen, das man nicht sieht: {text}"),
        ConsoleText("{key} is an empty text", "Hier steht nichts"),
        ConsoleText("{key} has no value", "Hier fehlt ein Wert"),
        ConsoleText("{key} is empty", "Hier steht nichts"),
        ConsoleText("{key} must be a mapping, not a text", "Jede Zeile ist name=wert"),
        ConsoleText(
            "a tag has at most {most} bytes, this one {count}",
            "Ein Schlagwort hat höchstens {most} Bytes, dieses {count}"),
        ConsoleText(
            "a name has at most {most} bytes, this one {count}",
            "Ein Name hat höchstens {most} Bytes, dieser {count}"),
        ConsoleText(
            "an identifier has at most {most} bytes, this one {count}",
            "Ein Name in einem anderen System hat höchstens {most} Bytes, dieser {count}"),
        ConsoleText(
            "the link has {count} tags, may have {most}",
            "Der Link hat {count} Schlagwörter, höchstens {most} sind möglich"),
        ConsoleText(
            "the note has {count} bytes, may have {most}",
            "Die Notiz hat {count} Bytes, höchstens {most} sind möglich"),
        ConsoleText(
            "page, web, campaign, after and app have {count} bytes as JSON, may have {most}",
            "Texte der Seite, Ziele je Gerät und Daten für die App haben zusammen {count} Bytes, höchstens {most} sind möglich"
        ),
        ConsoleText(
            "{what} has more than {most} combining marks in a row",
            "Im Text stehen mehr als {most} Zeichen, die sich übereinander legen, hintereinander"),
        ConsoleText("{key} is there twice", "{key} ist zweimal da"),
        // Collections, apps and files.
        ConsoleText("there is no collection {name}", "Die Sammlung {name} gibt es nicht"),
        ConsoleText(
            "no app opens the link, because `publish` does not have {name}",
            "Keine App öffnet den Link: Seine Sammlung {name} ist für keine veröffentlicht"),
        ConsoleText(
            "an app opens the destination, but after a redirect iOS mostly stays in the browser",
            "Eine App öffnet das Ziel, aber nach einer Weiterleitung bleibt iOS meist im Browser"),
        ConsoleText(
            "the site has no file {path}", "Die Website hat die Datei {path} nicht"),
        ConsoleText(
            "browsers and previews do not load an image over http in a page over https",
            "Browser und Vorschauen laden ein Bild über http nicht in eine Seite mit https"),
        // An address that is tried.
        ConsoleText("url is {url}: {fact}", "{url}: {fact}"),
        ConsoleText(
            "a link must begin with https:// or http://",
            "Ein Link beginnt mit https:// oder http://"),
        ConsoleText("the link has no host", "Dem Link fehlt der Host"),
        ConsoleText(
            "the link's host cannot contain {text}", "Im Host kann nicht {text} stehen"),
        ConsoleText(
            "the link's port must be a number up to 65535",
            "Der Port muss eine Zahl bis 65535 sein"),
        ConsoleText("the link is not UTF-8", "Der Link ist nicht in UTF-8"),
        ConsoleText(
            "the link has a control character at byte {place}",
            "An Stelle {place} steht ein Zeichen, das man nicht sieht"),
        ConsoleText(
            "{host} is no host of a site that is served here",
            "{host} ist kein Host dieses Servers"),
        ConsoleText(
            "nothing has this name here, or it is of a collection that the token is not for",
            "Das gibt es hier nicht, oder es gehört zu einer Sammlung, die du nicht sehen darfst"),
    ]

    /// Advice on these faults and remarks.
    static let linkAdvice: [ConsoleText] = [
        ConsoleText("did you mean {name}?", "meinst du {name}?"),
        ConsoleText("choose another", "wähle einen anderen"),
        ConsoleText("choose another slug", "wähle einen anderen"),
        ConsoleText(
            "choose another: printed codes would lead elsewhere",
            "wähle einen anderen: Gedruckte Codes führten sonst woandershin"),
        ConsoleText("choose a shorter one", "wähle etwas Kürzeres"),
        ConsoleText("choose a shorter name", "wähle einen kürzeren Namen"),
        ConsoleText("shorten it", "kürze ihn"),
        ConsoleText(
            "lead elsewhere, or let an engineer add it",
            "nimm ein anderes Ziel oder lass es freischalten"),
        ConsoleText(
            "add `store` there, or choose another action",
            "wähle etwas anderes oder lass sie freischalten"),
        ConsoleText("lead to its destination", "nimm dessen Ziel"),
        ConsoleText(
            "lead to a shorter one, which your site redirects",
            "nimm eine kürzere, die deine Website weiterleitet"),
        ConsoleText("write %25 for a percent sign", "schreib %25 für ein Prozentzeichen"),
        ConsoleText("remove the blank at its beginning", "entferne das Leerzeichen am Anfang"),
        ConsoleText("remove the blank at its end", "entferne das Leerzeichen am Ende"),
        ConsoleText(
            "remove the user name, the password and the @",
            "entferne Benutzername, Passwort und das @"),
        ConsoleText(
            "write the port of a server behind the host, or none",
            "schreib den Port eines Servers hinter den Host oder keinen"),
        ConsoleText("write the host behind ://", "schreib den Host hinter ://"),
        ConsoleText(
            "write a host of letters, digits, hyphens and full stops",
            "ein Host hat Buchstaben, Ziffern, Bindestriche und Punkte"),
        ConsoleText(
            "write each character that no URL has as %XX",
            "schreib Zeichen, die keine Adresse hat, als %XX"),
        ConsoleText(
            "write a host of another script in its form xn--…, and other characters as %XX",
            "schreib einen Host in anderer Schrift als xn--… und andere Zeichen als %XX"),
        ConsoleText("write the whole URL: {url}", "schreib die ganze Adresse: {url}"),
        ConsoleText(
            "write it as a browser's address bar copies it",
            "kopiere sie aus der Adresszeile des Browsers"),
        ConsoleText(
            "write the https:// URL of a page or a service",
            "schreib die Adresse einer Seite mit https://"),
        ConsoleText(
            "write the URL behind the status: {url}",
            "schreib die Adresse hinter die Zahl: {url}"),
        ConsoleText(
            "write a file of the public directory as its URL path: {path}",
            "schreib eine Datei der Website als Pfad: {path}"),
        ConsoleText(
            "write a public file as its URL path, beginning with /",
            "schreib eine Datei der Website als Pfad, der mit / beginnt"),
        ConsoleText(
            "write {url}, or one slash for a public file",
            "schreib {url}, oder einen Schrägstrich für eine Datei der Website"),
        ConsoleText(
            "write only the path of a public file; another page is an https:// URL",
            "schreib nur den Pfad einer Datei; eine andere Seite ist eine Adresse mit https://"),
        ConsoleText(
            "write the path of a file below the public directory, without it",
            "schreib den Pfad der Datei ohne ihn"),
        ConsoleText(
            "write {time} for UTC, or the offset of your zone, as +02:00",
            "schreib {time} für UTC oder den Abstand deiner Zeitzone, wie +02:00"),
        ConsoleText(
            "check the month, the day and the hour; hours are from 00 to 23",
            "prüfe Monat, Tag und Stunde; Stunden gehen von 00 bis 23"),
        ConsoleText(
            "write year, month and day in this order: {time} (RFC 3339)",
            "schreib Tag und Zeit, zum Beispiel 31.03.2027 22:00"),
        ConsoleText("write a later time, or none", "schreib eine spätere Zeit oder keine"),
        ConsoleText(
            "write a later `until`, or exchange the two",
            "schreib ein späteres Ende oder tausche die beiden"),
        ConsoleText("add `until`, or remove `after`", "schreib ein Ende oder lass beides weg"),
        ConsoleText(
            "remove it; write prose of several lines as a block, behind |", "entferne es"),
        ConsoleText("remove the character", "entferne es"),
        ConsoleText("add a value, or remove the key", "schreib etwas oder lass es weg"),
        ConsoleText(
            "write a value, or leave the member out", "schreib etwas oder lass es weg"),
        ConsoleText("leave some out", "lass welche weg"),
        ConsoleText("keep what is long elsewhere", "heb Langes woanders auf"),
        ConsoleText(
            "remove the marks; no language has so many",
            "entferne sie; keine Sprache hat so viele"),
        ConsoleText("the only collection is {name}", "es gibt nur {name}"),
        ConsoleText("the collections are {list}", "es gibt {list}"),
        ConsoleText(
            "put it into the directory `public`, or name another",
            "lass sie dort ablegen oder nenne eine andere"),
        ConsoleText(
            "write https:// if its host has it", "schreib https://, wenn der Host es kann"),
        ConsoleText(
            "write it as GET /v1/openapi.json describes it", "schreib es in der anderen Form"),
        // Behind all others that begin so.
        ConsoleText("write {text}", "schreib {text}"),
    ]
}
