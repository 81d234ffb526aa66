import Diagnostics
import LinkStore
import Visits

/// The links whose visits are summed up, in groups of those with the same values.
struct SurveyedLinks {
    private(set) var links = LinkGroups()
    /// The numbers of the groups' texts, or of the places of links.
    private var keys = [Int]()
    private let dimension: LinkDimension?
    private let texts: [String]
    private let columns: LinkColumns?

    /// - Parameters:
    ///   - columns: in which all links are that may be chosen.
    ///   - filter: the condition on them; nil if all are chosen.
    ///   - dimension: the property by which they are grouped; nil for one group.
    init(_ columns: LinkColumns, _ filter: VisitLinkFilter?, by dimension: LinkDimension?) {
        self.dimension = dimension
        texts =
            switch dimension {
            case .tag: columns.tagTexts.texts
            case .campaign: columns.campaignTexts.texts
            case .collection: columns.collectionTexts.texts
            case .link, nil: []
            }
        self.columns = dimension == .link ? columns : nil
        let choices = filter?.choices(columns)
        var groups = [Int](repeating: -1, count: texts.count)
        let (numbers, collections) = (columns.links, columns.collections)
        let (tags, campaigns) = (columns.tags, columns.campaigns)
        for place in numbers.indices {
            let own = (
                collection: Int(collections[place]), tags: Int(tags[place]),
                campaign: Int(campaigns[place])
            )
            guard choices?.has(own) ?? true else { continue }
            let group: Int
            switch dimension {
            case .collection: group = Self.group(of: own.collection, &groups, &keys)
            case .tag: group = Self.group(of: own.tags, &groups, &keys)
            case .campaign: group = Self.group(of: own.campaign, &groups, &keys)
            case .link:
                group = keys.count
                keys.append(place)
            case nil:
                if keys.isEmpty { keys.append(0) }
                group = 0
            }
            links.add(numbers[place], to: group)
        }
        links.finish()
    }

    private static func group(of key: Int, _ groups: inout [Int], _ keys: inout [Int]) -> Int {
        if groups[key] < 0 {
            groups[key] = keys.count
            keys.append(key)
        }
        return groups[key]
    }

    /// How many groups there are.
    var count: Int { keys.count }

    /// Whether the value of a group comes before that of another one, where each has a link.
    func isBefore(_ group: Int, _ other: Int) -> Bool {
        columns?.isBefore(keys[group], keys[other]) ?? false
    }

    /// The values that the links of a group have. Without any, they are summed up as an empty text.
    func values(of group: Int) -> [String] {
        switch dimension {
        case .link: return [columns?.id(at: keys[group])?.description ?? ""]
        case .tag:
            let tags = linesOfTags(texts[keys[group]])
            return tags.isEmpty ? [""] : tags
        case .campaign, .collection: return [texts[keys[group]]]
        case nil: return [""]
        }
    }
}

extension LinkFacts {
    /// The campaign as columns have it.
    var campaignText: String { campaign ?? "" }
}
