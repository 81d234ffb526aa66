extension SelectedLinks {
    /// A change that several links get.
    enum Deed: String {
        case tag, untag, extend, archive
        /// Takes an archiving back.
        case restore

        /// The deeds of the list's form.
        static let offered: [(deed: Deed, text: ConsoleText)] = [
            (.tag, .selectedTag), (.untag, .selectedUntag), (.extend, .selectedExtend),
            (.archive, .selectedArchive),
        ]

        var takesText: Bool { self == .tag || self == .untag || self == .extend }

        /// The deed that takes this one back; nil if none does.
        var opposite: Deed? {
            switch self {
            case .tag: .untag
            case .untag: .tag
            case .archive: .restore
            case .extend, .restore: nil
            }
        }

        /// The sentence about links that it has changed.
        var done: ConsoleText {
            switch self {
            case .tag: .selectedWereTagged
            case .untag: .selectedWereUntagged
            case .extend: .selectedWereExtended
            case .archive: .selectedWereArchived
            case .restore: .selectedWereRestored
            }
        }
    }
}
