package import JSONSyntax

/// The page that a URL has for a client, to the byte as the server answers it, without a connection.
package struct ServedPage: Sendable {
    package let type: String
    /// The value of its `Content-Security-Policy`; empty without one.
    package let policy: String
    package let content: [UInt8]
    /// The origin of the site, in lower case, with its scheme and without a slash at its end.
    package let origin: String
    /// The languages that the site's pages are in, the first for everybody else.
    package let languages: [String]

    package init(
        type: String, policy: String, content: [UInt8], origin: String, languages: [String]
    ) {
        (self.type, self.policy, self.content) = (type, policy, content)
        (self.origin, self.languages) = (origin, languages)
    }

    /// A client that asks for a URL.
    package struct Question: Sendable {
        package let url: String
        /// As `explain` names it.
        package let client: String
        /// Empty for a client that names none.
        package let language: String
        /// The link in place of all that are stored; nil where these are looked up.
        package var draft: Draft?
    }

    /// A link that no store has, as the API has explained it.
    package struct Draft: Sendable {
        package let link: JSONValue
        /// The time of the explanation, in seconds since 1970.
        package let time: Int
    }

    /// The host of the site, with its port.
    var host: String {
        String(decoding: origin.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2), as: UTF8.self)
    }

    var isHTML: Bool { type.utf8.starts(with: "text/html".utf8) }
}
