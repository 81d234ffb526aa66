import AppFiles
import Diagnostics

extension AppComparison {
    /// Leaves open what a file without a host lacks of an iOS app, if the file lists another of the apps that were given: a
    /// repository can have several sites and apps.
    func openOthers(_ agreements: inout [AppAgreement]) {
        guard sites.count == 1, sites[0].hosts == nil, !sites[0].isLive,
            agreements.contains(where: { isListed($0) })
        else { return }
        for index in agreements.indices
        where agreements[index].platform?.isOfApple == true && !isListed(agreements[index]) {
            agreements[index].open(
                [.appNotListed, .serviceNotPublished],
                advice: "give the file of this app's site: the one that was given lists another app"
            )
        }
    }

    /// Whether the file lists the app for a service.
    private func isListed(_ agreement: AppAgreement) -> Bool {
        guard agreement.platform?.isOfApple == true, let app = agreement.app else { return false }
        return AssociatedDomain.services.contains { service in
            sites[0].lists(app, for: service) || sites[0].lists(bundle: app, for: service)
        }
    }
}
