package import Associations
internal import Resolution
package import SiteConfiguration

/// The links of one version: an association file, a site of an environment, or the process that
/// serves several sites.
package struct LinkVersion {
    /// The environment's name; nil for a file.
    package let name: String?
    /// Nil for a file, whose hosts and responses are not known.
    package let site: Site?
    /// The settings of the process that serves the environment.
    private(set) var settings: [NamedSetting]
    /// The directory of the configuration.
    let directory: String
    /// Nil if there is no such file.
    package let apple: AssociationReading?
    let android: AssetLinksFiles?

    /// The sites of environments, in order.
    package static func all(_ environments: [Environment], in directory: String) -> [LinkVersion] {
        environments.flatMap { environment in
            let settings = environment.settings(in: directory)
            return environment.sites.map { LinkVersion($0, settings, directory) }
        }
    }

    /// The process that serves the site's environment.
    var process: LinkVersion { LinkVersion(name: name, settings: settings, directory: directory) }

    /// The site without the settings of its process.
    var withoutSettings: LinkVersion {
        var version = self
        version.settings = []
        return version
    }

    /// Every host, also with a wildcard; nil for a file.
    var hosts: [String]? { site?.hostPatterns }

    /// A host for examples; nil for a file.
    var exampleHost: String? { site?.exampleHost }

    /// The version of a file.
    package init(apple: AssociationReading?, android: AssetLinksFiles?) {
        (name, site, settings, directory) = (nil, nil, [], "")
        (self.apple, self.android) = (apple, android)
    }

    private init(name: String?, settings: [NamedSetting], directory: String) {
        (self.name, self.settings, self.directory) = (name, settings, directory)
        (site, apple, android) = (nil, nil, nil)
    }

    private init(_ site: Site, _ settings: [NamedSetting], _ directory: String) {
        name = site.environment
        (self.site, self.settings, self.directory) = (site, settings, directory)
        apple = site.associations.aasa.map {
            AssociationReading($0, file: "apple-app-site-association")
        }
        android = site.associations.assetlinks.map { AssetLinksFiles($0, name: "assetlinks.json") }
    }

    /// Whether both are versions of one site: of the same name or, if one has no name, with a host
    /// in common. A site with another name may be the same one, too, if no other site is.
    func isSameSite(as other: LinkVersion) -> Bool {
        guard let site, let otherSite = other.site else { return site == nil && other.site == nil }
        guard site.name != otherSite.name else { return true }
        guard site.name == nil || otherSite.name == nil else { return false }
        return sharesHost(with: other)
    }

    func sharesHost(with other: LinkVersion) -> Bool {
        guard let hosts, let others = other.hosts else { return false }
        return hosts.contains { others.contains($0) }
    }
}
