/// Sentences of the API about people and tokens.
extension FaultText {
    static let peopleFacts: [FaultText] = [
        FaultText(
            "{name} is no name of a person",
            "{name} kann nicht der Name einer Person sein",
            en: "{name} cannot be the name of a person"),
        FaultText(
            "the audit has {name} for whoever runs the origin",
            "{name} heißt in den Änderungen schon, wer diesen Server betreibt",
            en: "{name} is what the list of changes calls whoever runs this server"),
        FaultText(
            "a token has the name {name}, and the audit names both",
            "Ein Token heißt schon {name}, und in den Änderungen stehen beide",
            en: "a token has the name {name} already, and the list of changes names both"),
        FaultText(
            "a person has the name {name}, and the audit names both",
            "Eine Person heißt schon {name}, und in den Änderungen stehen beide",
            en: "a person has the name {name} already, and the list of changes names both"),
        FaultText(
            "{name} is a URL, and a provider's people are made by one",
            "{name} ist eine Adresse, und so heißen Personen eines Anmeldedienstes",
            en: "{name} is an address, and people of a provider are called so"),
    ]

    static let peopleAdvice: [FaultText] = [
        FaultText(
            "write at most 64 letters A-Z, digits, and ., _, @, + and - within, such as anna or anna@example.com",
            "schreib höchstens 64 Buchstaben A–Z und Ziffern, dazwischen auch ., _, @, + und -, etwa anna oder anna@example.com"
        ),
        FaultText("choose another name", "wähle einen anderen Namen"),
        FaultText("keep one of them", "behalte eins davon"),
    ]
}
