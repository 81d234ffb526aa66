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
    if bytes.starts(with: "// !$*UTF8*$!".utf8) { return readProject(bytes) }
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
            case .key, .program: break
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

/// An Xcode project beside an entitlements file and a file of settings.
private func readProject(_ bytes: [UInt8]) {
    let files = [
        "a.xcodeproj/project.pbxproj": bytes,
        "App/App.entitlements": Array("<plist><dict/></plist>".utf8),
        "Config/Release.xcconfig": Array("A = $(A)$(B)\nB = $(A)".utf8),
    ]
    measure {
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                ByteSource(files[name] ?? [])
            })
        for name in checkout.apps { _ = try? checkout.read(name) }
    }
}
