import Associations
import Diagnostics

extension PageExamination {
    var appClip: [ItemResult] {
        [clipIdentifier, clipAssociated, clipDisplay, clipFallback, clipImage]
    }

    private static let noClip = "the page invokes no App Clip"

    private var clip: String? { banner?["app-clip-bundle-id"] }

    private var clipIdentifier: ItemResult {
        let item = ReportItem.clipIdentifier
        guard let clip else { return item.notApplicable(Self.noClip) }
        if (try? AppIdentifier(clip)) != nil {
            return item.required("\(quoted(clip)) begins with an App ID prefix")
        }
        guard (try? AppIdentifier("AAAAAAAAAA.\(clip)")) != nil else {
            return item.required("\(quoted(clip)) is no bundle identifier")
        }
        return item.pass(quoted(clip))
    }

    private var clipAssociated: ItemResult {
        let item = ReportItem.clipAssociated
        guard let clip else { return item.notApplicable(Self.noClip) }
        guard let aasa else {
            return item.notApplicable("apple-app-site-association was not looked at")
        }
        let listed = aasa.services["appclips"]?.map(\.value) ?? []
        let mine = listed.filter { id in
            guard let dot = id.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
            return id.utf8[id.utf8.index(after: dot)...].elementsEqual(clip.utf8)
                || id.isScalarwise(clip)
        }
        return mine.isEmpty
            ? item.required("appclips lists no \(quoted(clip))") : item.pass(quoted(mine[0]))
    }

    private var clipDisplay: ItemResult {
        let item = ReportItem.clipDisplay
        guard clip != nil else { return item.notApplicable(Self.noClip) }
        guard let display = banner?["app-clip-display"] else {
            return item.notApplicable("not given: people tap the banner")
        }
        return display.isScalarwise("card")
            ? item.pass("card") : item.required("it is \(quoted(display))")
    }

    private var clipFallback: ItemResult {
        let item = ReportItem.clipFallback
        guard clip != nil else { return item.notApplicable(Self.noClip) }
        return banner?["app-id"].map { item.pass(quoted($0)) } ?? item.recommended("there is none")
    }

    private var clipImage: ItemResult {
        let item = ReportItem.clipImage
        guard clip != nil else { return item.notApplicable(Self.noClip) }
        return picture.map { item.pass(quoted($0.address)) } ?? item.required("there is none")
    }
}
