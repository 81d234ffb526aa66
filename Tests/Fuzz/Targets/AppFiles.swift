import AppFiles

/// Files of apps: where one is refused, the place is in it, and where one is read, so is each value's.
@Sendable func readAppFile(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    func requireInText(_ place: TextPlace?) {
        guard let place, bytes.first == 0x3C else { return }
        require(
            lines.indices.contains(place.line - 1) && place.column >= 1
                && place.column <= lines[place.line - 1].count + 1, "\(place) is not in the text")
    }
    do throws(FormatFault) {
        let declarations = try measure { () -> Result<[AppDeclaration], FormatFault> in
            Result { () throws(FormatFault) in try AppFile.read(ByteSource(bytes)) }
        }.get()
        for declaration in declarations {
            switch declaration {
            case .apple(let app):
                requireInText(app.place)
                if case .list(let domains) = app.domains {
                    domains.map(\.place).forEach(requireInText)
                }
            case .android(let app):
                for filter in app.filters {
                    requireInText(filter.place)
                    (filter.hosts + filter.schemes).forEach { requireInText($0.place) }
                }
            }
        }
    } catch {
        requireInText(error.place)
    }
}
