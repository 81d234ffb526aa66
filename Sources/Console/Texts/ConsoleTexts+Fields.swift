/// The names and hints of the fields of a link.
extension ConsoleText {
    static let collection = ConsoleText("Collection", "Sammlung")
    static let slug = ConsoleText("Short name", "Kurzname")
    static let slugHint = ConsoleText(
        "The end of the link, such as spring-sale. Leave it empty, and one is chosen. It cannot be changed later.",
        "Das Ende des Links, zum Beispiel fruehling. Bleibt es leer, wird einer gewählt. Später lässt er sich nicht mehr ändern."
    )
    static let slugForm = ConsoleText(
        "A short name has letters A–Z, digits, -, _ and ~, a full stop within, and at most 64 of them.",
        "Ein Kurzname hat Buchstaben A–Z, Ziffern, -, _ und ~, im Innern auch Punkte, und höchstens 64 davon."
    )
    static let slugMissing = ConsoleText("Write a short name.", "Schreib einen Kurznamen.")
    static let appDataForm = ConsoleText(
        "Each line is name=value, such as product=7.",
        "Jede Zeile ist name=wert, zum Beispiel produkt=7.")
    static let destinationMissing = ConsoleText(
        "Write the page that the link leads to.", "Schreib die Seite, zu der der Link führt.")
    static let collectionMissing = ConsoleText("Choose a collection.", "Wähle eine Sammlung.")
    static let linkTitle = ConsoleText("Title", "Titel")
    static let titleHint = ConsoleText(
        "Shown when the link is shared, and on its page.",
        "Erscheint, wenn der Link geteilt wird, und auf seiner Seite.")
    static let linkDescription = ConsoleText("Description", "Beschreibung")
    static let descriptionHint = ConsoleText(
        "A sentence or two below the title.", "Ein, zwei Sätze unter dem Titel.")
    static let pictureHint = ConsoleText(
        "The address of a picture for the link’s page and for the card that chats show: https://…, or a path of the link’s host.",
        "Die Adresse eines Bilds für die Seite des Links und die Karte in Chats: https://… oder ein Pfad auf dem Host des Links."
    )
    static let destination = ConsoleText("Destination", "Ziel")
    static let destinationHint = ConsoleText(
        "The page that people without the app get, with https://.",
        "Die Seite für Leute ohne die App, mit https://.")
    static let mayLeadTo = ConsoleText(
        "Links may lead to: {rules}", "Links dürfen führen zu: {rules}")
    static let utmSource = ConsoleText("Source", "Quelle")
    static let utmSourceHint = ConsoleText(
        "utm_source: where the link is put, such as newsletter",
        "utm_source: wo der Link steht, zum Beispiel newsletter")
    static let utmMedium = ConsoleText("Medium", "Medium")
    static let utmMediumHint = ConsoleText(
        "utm_medium: the kind of channel, such as email",
        "utm_medium: die Art des Kanals, zum Beispiel email")
    static let utmCampaign = ConsoleText("Campaign", "Kampagne")
    static let utmCampaignHint = ConsoleText(
        "utm_campaign: its name, such as spring-2027",
        "utm_campaign: ihr Name, zum Beispiel fruehling-2027")
    static let utmTerm = ConsoleText("Term", "Suchwort")
    static let utmContent = ConsoleText("Content", "Inhalt")
    static let onIPhone = ConsoleText("iPhone", "iPhone")
    static let onIPad = ConsoleText("iPad", "iPad")
    static let onAndroid = ConsoleText("Android", "Android")
    static let onDesktop = ConsoleText("Computer", "Computer")
    static let onOthers = ConsoleText("Every other device", "Alle anderen Geräte")
    static let actionUsual = ConsoleText("As usual", "Wie üblich")
    static let actionLanding = ConsoleText("The link’s page", "Die Seite des Links")
    static let actionStore = ConsoleText("The app’s store", "Der Store der App")
    static let actionURL = ConsoleText("Another address:", "Eine andere Adresse:")
    static let actionURLLabel = ConsoleText("{field}: address", "{field}: Adresse")
    static let actionEnded = ConsoleText("As the collection says", "Wie die Sammlung es vorsieht")
    static let actionGone = ConsoleText(
        "A page that says that the link is over (410)",
        "Eine Seite, die sagt, dass es den Link nicht mehr gibt (410)")
    static let actionNotFound = ConsoleText("Nothing (404)", "Nichts (404)")
    static let appPath = ConsoleText("Place in the app", "Stelle in der App")
    static let appPathHint = ConsoleText(
        "A path that the app knows, such as /product/7.",
        "Ein Pfad, den die App kennt, zum Beispiel /product/7.")
    static let appData = ConsoleText("Data for the app", "Daten für die App")
    static let appDataHint = ConsoleText(
        "A line each: name=value. Everybody who has the link can read it.",
        "Je Zeile: name=wert. Wer den Link hat, kann sie lesen.")
    static let tags = ConsoleText("Tags", "Schlagwörter")
    static let tagsHint = ConsoleText(
        "Words to find it by, with commas between them. One with a comma is in quotes.",
        "Wörter, unter denen man ihn findet, mit Kommas dazwischen. Eines mit Komma steht in \"…\"."
    )
    static let note = ConsoleText("Note", "Notiz")
    static let noteHint = ConsoleText("For colleagues only.", "Nur für das Team.")
    static let from = ConsoleText("Starts", "Beginnt")
    static let until = ConsoleText("Ends", "Endet")
    static let fromHint = ConsoleText(
        "Day and time ({zone}), such as 2027-03-31 22:00. A day alone: its beginning. Empty: always.",
        "Tag und Zeit ({zone}), zum Beispiel 31.03.2027 22:00. Ein Tag allein: sein Anfang. Leer: immer."
    )
    static let untilHint = ConsoleText(
        "Day and time ({zone}), such as 2027-03-31 22:00. A day alone: its end. Empty: never.",
        "Tag und Zeit ({zone}), zum Beispiel 31.03.2027 22:00. Ein Tag allein: sein Ende. Leer: nie."
    )
    static let after = ConsoleText("After it has ended", "Nach dem Ende")
    static let afterHint = ConsoleText("What people get then.", "Was Leute dann bekommen.")
    static let state = ConsoleText("State", "Zustand")
    static let campaignGroup = ConsoleText("Campaign (UTM)", "Kampagne (UTM)")
    static let campaignGroupHint = ConsoleText(
        "Added to the destination, so that your statistics there know where people came from.",
        "Kommt an das Ziel, damit die Statistik dort weiß, woher Leute kamen.")
    static let devicesGroup = ConsoleText("By device", "Je Gerät")
    static let devicesGroupHint = ConsoleText(
        "What a browser gets where the app is not installed. As usual: what the collection says, or else the destination.",
        "Was ein Browser bekommt, wenn die App fehlt. Wie üblich: was die Sammlung sagt, sonst das Ziel."
    )
    static let timesGroup = ConsoleText("Start and end", "Beginn und Ende")
    static let appGroup = ConsoleText("In the app", "In der App")
    static let appGroupHint = ConsoleText(
        "What the app gets when it opens the link. Ask whoever makes the app.",
        "Was die App bekommt, wenn sie den Link öffnet. Frag, wer die App macht.")
}
