/// The stable names of what a configuration says of the web that cannot come true.
package enum WebRule: String, CaseIterable, Sendable {
    case landingSameHost = "landing-same-host"
    case sharedOpenHost = "shared-open-host"
    case schemeMissing = "scheme-missing"
    case storeMissing = "store-missing"
    case campaignProvider = "campaign-provider"
    case unshownPage = "unshown-page"
    case fragmentOnlyWeb = "fragment-only-web"
    case unpublished
    case redirectLoop = "redirect-loop"
    case longTitle = "long-title"
    case longDescription = "long-description"
}
