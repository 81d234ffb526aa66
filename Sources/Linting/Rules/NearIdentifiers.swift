import Associations
import Diagnostics
import URISyntax

// Identifiers that differ in one character, and probably mean the same app.

extension AssociationReading {
    /// Apps of two services that differ in one character, and of which each service has only one.
    var nearIdentifierFindings: [Finding] {
        let lists =
            [details.flatMap(\.appIDs)]
            + services.sorted { $0.key < $1.key }.map(\.value)
        return nearNames(
            in: lists.map { $0.filter { IdentifierFault($0.value) == nil } },
            prefixBytes: AppIdentifier.prefixBytes)
    }
}

extension AssetLinksReading {
    /// The same for packages that may open links, and packages that share sign-in.
    var nearPackageFindings: [Finding] {
        let lists = [AssetRelation.handleAllURLs, .getLoginCreds].map { relation in
            statements.filter { statement in
                statement.relations.contains { $0.value.isScalarwise(relation.rawValue) }
            }.compactMap(\.package)
        }
        return nearNames(in: lists, prefixBytes: 0)
    }
}

/// - Parameter prefixBytes: the number of bytes at the start of a name that no person has chosen.
private func nearNames(in lists: [[Located<String>]], prefixBytes: Int) -> [Finding] {
    var findings = [Finding]()
    for (index, list) in lists.enumerated() {
        for earlier in lists[..<index] {
            let names = Set(list.map(\.value))
            let others = Set(earlier.map(\.value))
            let (lone, partners) = (
                list.filter { !others.contains($0.value) }.prefix(namesMax),
                earlier.filter { !names.contains($0.value) }.prefix(namesMax)
            )
            for name in lone {
                let near = partners.first { differsBySlip($0.value, name.value, prefixBytes) }
                guard let near else { continue }
                findings.append(
                    Finding(
                        .warning, .nearIdentifier, Finding.Spot(name),
                        others: [Finding.Spot(near)],
                        advice: "spell both as on developer.apple.com"
                    ) { line in
                        "\(quoted(name.value)) is one character from \(quoted(near.value)) of "
                            + "\(line), and each is listed for only one service"
                    })
            }
        }
    }
    return findings
}

/// Whether one text is the other with one letter more or less, another letter, or two neighbours exchanged. A difference
/// in letter case is also a mistake. A different digit is not, because digits number apps and hosts.
/// - Parameter prefixBytes: the number of bytes at the start in which a digit is as any letter.
func differsBySlip(_ one: String, _ other: String, _ prefixBytes: Int = 0) -> Bool {
    guard abs(one.utf8.count - other.utf8.count) <= 1 else { return false }
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one != other else { return false }
    let start = zip(one, other).prefix { $0 == $1 }.count
    let (left, right) = (one[start...], other[start...])
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    let (a, b) = (Array(left.dropLast(end)), Array(right.dropLast(end)))
    guard !(a + b).contains(where: \.isDigit) || start < prefixBytes else { return false }
    return (a.count <= 1 && b.count <= 1) || (a.count == 2 && a == b.reversed())
}

/// The number of names in each list that are compared.
private let namesMax = 100
