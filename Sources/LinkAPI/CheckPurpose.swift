private import Diagnostics

import LinkStore

// What a described link must be, and what of it is perhaps not meant.

/// The purpose for which a described link is checked.
enum CheckPurpose {
    case making
    /// The link that it changes.
    case changing(StoredLink)
    /// With the link as it was where it was exported; nil if the line is no exported link.
    case importing(KnownLink?)
    /// A link that was deleted where it was exported.
    case burying
    /// A request for a short link of Firebase, which gives it a name of our own.
    case shortLink

    var isNew: Bool { if case .changing = self { false } else { true } }

    /// True if the link may have ended.
    var allowsPast: Bool {
        switch self {
        case .importing(let known): known?.isExported == true
        case .burying: true
        case .making, .changing, .shortLink: false
        }
    }

    /// True if a URL may have a percent sign that begins no escape: exports have such links. The line of
    /// an import has a warning.
    var takesOddEscapes: Bool {
        switch self {
        case .importing, .burying: true
        case .making, .changing, .shortLink: false
        }
    }

    /// The URLs that the link has already.
    var urls: Set<String> {
        if case .changing(let link) = self { link.urls } else { [] }
    }

    /// True if the link needs no destination.
    var leadsNowhere: Bool { if case .burying = self { true } else { false } }

    /// True if the link has the note already: it may have come before there was a limit.
    func keeps(note: String) -> Bool {
        if case .changing(let link) = self {
            link.content.note.isScalarwise(note)
        } else {
            false
        }
    }

    /// True if the link may have one of our own names. Whoever could choose one would be asked for
    /// in place of the link that a back end makes later. An import of an export is by somebody who
    /// may lead every link elsewhere anyway.
    func allows(_ name: String, _ actor: LinkAPI.Actor) -> Bool {
        switch self {
        case .making: false
        case .changing(let link): link.content.externalID.isScalarwise(name)
        case .importing, .burying: actor.may(.linksWrite) && actor.collections == nil
        case .shortLink: true
        }
    }
}
