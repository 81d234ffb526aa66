import Foundation
import LinkAPI
import LinkStore
import Testing
import Visits

/// The requests and answers of a program that was written for Firebase, from its REST reference
/// (v1), and of nothing else.
private enum Old {
    struct Request: Encodable {
        var longDynamicLink: String?
        var dynamicLinkInfo: Info?
        var suffix: Suffix?
        var sdkVersion: String?
        var name: String?
    }
    struct Suffix: Codable {
        var option: String?
        var customSuffix: String?
    }
    struct Info: Codable, Equatable {
        struct Android: Codable, Equatable {
            var androidPackageName: String?
            var androidFallbackLink: String?
            var androidMinPackageVersionCode: String?
            var androidLink: String?
        }
        struct IOS: Codable, Equatable {
            var iosBundleId: String?
            var iosFallbackLink: String?
            var iosCustomScheme: String?
            var iosIpadFallbackLink: String?
            var iosIpadBundleId: String?
            var iosAppStoreId: String?
            var iosMinimumVersion: String?
        }
        struct Navigation: Codable, Equatable { var enableForcedRedirect: Bool? }
        struct Desktop: Codable, Equatable { var desktopFallbackLink: String? }
        struct Analytics: Codable, Equatable {
            struct GooglePlay: Codable, Equatable {
                var utmSource: String?
                var utmMedium: String?
                var utmCampaign: String?
                var utmTerm: String?
                var utmContent: String?
                var gclid: String?
            }
            struct ITunes: Codable, Equatable {
                var at: String?
                var ct: String?
                var mt: String?
                var pt: String?
            }
            var googlePlayAnalytics: GooglePlay?
            var itunesConnectAnalytics: ITunes?
        }
        struct Social: Codable, Equatable {
            var socialTitle: String?
            var socialDescription: String?
            var socialImageLink: String?
        }
        var domainUriPrefix: String?
        var dynamicLinkDomain: String?
        var link: String?
        var androidInfo: Android?
        var iosInfo: IOS?
        var navigationInfo: Navigation?
        var desktopInfo: Desktop?
        var analyticsInfo: Analytics?
        var socialMetaTagInfo: Social?
    }
    struct Warning: Decodable {
        enum Code: String, Decodable {
            case CODE_UNSPECIFIED, NOT_IN_PROJECT_ANDROID_PACKAGE_NAME
            case NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION, UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION
            case NOT_URI_ANDROID_LINK, UNNECESSARY_ANDROID_LINK, NOT_URI_ANDROID_FALLBACK_LINK
            case BAD_URI_SCHEME_ANDROID_FALLBACK_LINK, NOT_IN_PROJECT_IOS_BUNDLE_ID
            case NOT_IN_PROJECT_IPAD_BUNDLE_ID, UNNECESSARY_IOS_URL_SCHEME
            case NOT_NUMERIC_IOS_APP_STORE_ID, UNNECESSARY_IOS_APP_STORE_ID
            case NOT_URI_IOS_FALLBACK_LINK, BAD_URI_SCHEME_IOS_FALLBACK_LINK
            case NOT_URI_IPAD_FALLBACK_LINK, BAD_URI_SCHEME_IPAD_FALLBACK_LINK, BAD_DEBUG_PARAM
            case BAD_AD_PARAM, DEPRECATED_PARAM, UNRECOGNIZED_PARAM, TOO_LONG_PARAM
            case NOT_URI_SOCIAL_IMAGE_LINK, BAD_URI_SCHEME_SOCIAL_IMAGE_LINK, NOT_URI_SOCIAL_URL
            case BAD_URI_SCHEME_SOCIAL_URL, LINK_LENGTH_TOO_LONG, LINK_WITH_FRAGMENTS
            case NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID
        }
        let warningCode: Code
        let warningMessage: String
        let warningDocumentLink: String?
    }
    struct ShortLink: Decodable {
        let shortLink: String
        let previewLink: String
        let warning: [Warning]?
    }
    struct ManagedShortLink: Decodable {
        struct Link: Decodable {
            enum Visibility: String, Decodable { case UNARCHIVED, ARCHIVED, NEVER_SHOWN }
            let link: String
            let info: Info
            let linkName: String
            let creationTime: String
            let visibility: Visibility
            let flaggedAttribute: [String]?
        }
        let managedShortLink: Link
        let previewLink: String
        let warning: [Warning]?
    }
    struct Statistics: Decodable {
        struct Event: Decodable, Equatable {
            enum Platform: String, Decodable { case ANDROID, IOS, DESKTOP, OTHER }
            enum Kind: String, Decodable {
                case CLICK, REDIRECT, APP_INSTALL, APP_FIRST_OPEN, APP_RE_OPEN
            }
            let platform: Platform
            /// An int64 is a string in JSON.
            let count: String
            let event: Kind
        }
        let linkEventStats: [Event]
    }
    struct Attribution: Decodable {
        enum Confidence: String, Decodable { case WEAK, DEFAULT, UNIQUE }
        let deepLink: String?
        let resolvedLink: String?
        let requestedLink: String?
        let attributionConfidence: Confidence?
        let iosMinAppVersion: String?
        let appMinimumVersion: String?
        let fallbackLink: String?
        let utmSource: String?
        let utmMedium: String?
        let utmCampaign: String?
        let matchMessage: String?
    }
    /// `google.rpc.Status`, as Google's APIs send it.
    struct Failure: Decodable {
        struct Status: Decodable {
            struct Detail: Decodable {
                struct Violation: Decodable, Equatable {
                    let field: String
                    let description: String
                }
                let fieldViolations: [Violation]?
            }
            let code: Int
            let message: String
            let status: String
            let details: [Detail]?
        }
        let error: Status
    }
}

@Suite("Firebase's REST API") struct FirebaseAPITests {
    private static let configuration = """
        version: 1
        apps:
          shop:
            name: Shop
            ios: {id: ABCDE12345.com.example.shop, store: 123456789}
            android:
              package: com.example.shop
              sha256: ["\(Array(repeating: "AB", count: 32).joined(separator: ":"))"]
        links:
          fdl:
            match: /links/*
            stored:
              destinations: [www.example.com, store]
              case: exact
              firebase: [long-links, debug, api]
          other:
            match: /o/*
            stored: {destinations: www.example.com, case: exact, firebase: api}
          own: {match: /s/*, stored: {destinations: www.example.com}}
        environments:
          prod:
            hosts: [go.example.com, old.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [fdl]}
            store: var/links.db
        """
    private static let prefix = "https://go.example.com/links"
    private static let link = "https://www.example.com/p/1"

    private static func info(_ change: (inout Old.Info) -> Void = { _ in }) -> Old.Request {
        var info = Old.Info()
        info.domainUriPrefix = prefix
        info.link = link
        info.androidInfo = .init(
            androidPackageName: "com.example.shop", androidMinPackageVersionCode: "12")
        info.iosInfo = .init(iosBundleId: "com.example.shop", iosAppStoreId: "123456789")
        info.socialMetaTagInfo = .init(socialTitle: "Sale")
        change(&info)
        return Old.Request(dynamicLinkInfo: info)
    }

    private func ask<Answer: Decodable>(
        _ api: TestAPI, _ path: String, _ request: Old.Request, token: String = TestAPI.secret
    ) throws -> Answer {
        let json = try JSONEncoder().encode(request)
        let answer = api.ask("POST", path, String(decoding: json, as: UTF8.self), token: token)
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(answer.content))
        } catch {
            Issue.record("\(answer.status) \(answer.text)")
            throw error
        }
    }

    private func short(_ api: TestAPI, _ request: Old.Request) throws -> Old.ShortLink {
        try ask(api, "shortLinks", request)
    }

    @Test func theSameParametersGiveTheSameLinkHoweverTheyAreWritten() throws {
        let api = try TestAPI(Self.configuration)
        let first = try short(api, Self.info())
        let suffix = first.shortLink.dropFirst(Self.prefix.count + 1)
        #expect(first.shortLink.hasPrefix(Self.prefix + "/"))
        #expect(suffix.utf8.count == 17 && suffix.utf8.allSatisfy(\.isASCIILetterOrDigit))
        #expect(first.previewLink == first.shortLink + "?d=1")
        #expect(first.warning == nil)
        let long =
            Self.prefix + "/?st=Sale&isi=123456789&ibi=com.example.shop&amv=12"
            + "&apn=com.example.shop&link=https%3A%2F%2Fwww.example.com%2Fp%2F1"
        #expect(try short(api, Old.Request(longDynamicLink: long)).shortLink == first.shortLink)
        #expect(
            try short(api, Old.Request(longDynamicLink: long, suffix: .init(option: "UNGUESSABLE")))
                .shortLink == first.shortLink)
        // Another parameter, form, name or host is another link.
        var others = [first.shortLink]
        for request in [
            Old.Request(longDynamicLink: long + "&sd=x"),
            Old.Request(longDynamicLink: long, suffix: .init(option: "SHORT")),
            Old.Request(
                longDynamicLink: long, suffix: .init(option: "CUSTOM", customSuffix: "Spring")),
            Old.Request(longDynamicLink: long.replacing("go.example", with: "old.example")),
        ] {
            let made = try short(api, request)
            #expect(!others.contains(made.shortLink))
            #expect(try short(api, request).shortLink == made.shortLink)
            others.append(made.shortLink)
        }
        #expect(others[2].utf8.count == Self.prefix.utf8.count + 5)
        #expect(others[3] == Self.prefix + "/Spring")
        #expect(others[4].hasPrefix("https://old.example.com/links/"))
        // Another host is another link, and not the same slug under its name.
        #expect(Set(others.map { $0.split(separator: "/").last }).count == others.count)
        // A deleted link is not given again.
        let found = api.ask("GET", "links:find?url=\(first.shortLink)")
        #expect(
            api.ask("DELETE", "links/\(found["id"])", "", ["if-match": "*"]).status == 204)
        #expect(try short(api, Self.info()).shortLink != first.shortLink)
    }

    @Test
    func
        `a short link that nobody gets has a warning, and one that has ended leads no app anywhere`()
        throws
    {
        let api = try TestAPI(Self.configuration)
        let made = try short(api, Self.info())
        let id = api.ask("GET", "links:find?url=\(made.shortLink)")["id"]
        func change(_ json: String) {
            let answer = api.ask("PATCH", "links/\(id)", json, ["if-match": "*"])
            #expect(answer.status == 200, "\(answer.text)")
        }
        func expectWarning(_ detail: String?) throws {
            let again = try short(api, Self.info())
            #expect(again.shortLink == made.shortLink)
            #expect(
                again.warning?.map(\.warningCode.rawValue)
                    == detail.map { _ in ["CODE_UNSPECIFIED"] })
            #expect(again.warning?.first?.warningMessage == detail)
        }
        func reopen() -> Int {
            let json = #"{"requestedLink": "\#(made.shortLink)"}"#
            return api.ask("POST", "reopenAttribution", json).status
        }
        try expectWarning(nil)
        change(#"{"state": "disabled"}"#)
        try expectWarning("shortLink: the link was made before, and is disabled")
        change(#"{"state": "active", "app": null, "until": "2027-01-15T08:00:10Z"}"#)
        try expectWarning(nil)
        #expect(reopen() == 200)
        api.now += 10
        try expectWarning("shortLink: the link was made before, and has ended")
        #expect(reopen() == 404)
        // What the link says to the app, it goes on saying, as `/_/resolve` does.
        change(#"{"app": {"data": {"link": "https://www.example.com/p/1"}}}"#)
        #expect(reopen() == 200)
        change(#"{"from": "2027-02-15T08:00:00Z", "until": null}"#)
        try expectWarning("shortLink: the link was made before, and has not begun")
    }

    @Test func aLinkIsWhatTheRowOfAnExportWouldHaveBecome() throws {
        let api = try TestAPI(Self.configuration)
        let made = try short(
            api,
            Self.info { info in
                info.androidInfo?.androidFallbackLink = Self.link + "/a"
                info.iosInfo?.iosMinimumVersion = "2.1"
                info.navigationInfo = .init(enableForcedRedirect: true)
                info.desktopInfo = .init(desktopFallbackLink: Self.link + "/w")
                info.analyticsInfo = .init(
                    googlePlayAnalytics: .init(utmSource: "mail"),
                    itunesConnectAnalytics: .init(ct: "c", pt: "11"))
            })
        let link = api.ask("GET", "links:find?url=\(made.shortLink)")
        for part in [
            #""destination": "https://www.example.com/p/1?utm_source=mail""#,
            #""android": "https://www.example.com/p/1/a?utm_source=mail""#, #""ios": "store""#,
            #""desktop": "https://www.example.com/p/1/w?utm_source=mail""#,
            #""provider": "11""#, #""campaign": "c""#, #""title": "Sale""#,
            #""amv": "12", "imv": "2.1""#,
        ] {
            #expect(link.text.contains(part), "\(part): \(link.text)")
        }
    }

    /// Parameters of a long link besides `link`, and the code of the warning.
    @Test(arguments: [
        ("apn=com.other", "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"),
        ("apn=com.example.shop&amv=x", "NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"),
        ("amv=1", "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"),
        ("apn=com.example.shop&al=x", "NOT_URI_ANDROID_LINK"),
        ("al=https%3A%2F%2Fwww.example.com%2F", "UNNECESSARY_ANDROID_LINK"),
        ("afl=x", "NOT_URI_ANDROID_FALLBACK_LINK"),
        ("afl=market%3A%2F%2Fx", "BAD_URI_SCHEME_ANDROID_FALLBACK_LINK"),
        ("ibi=com.other", "NOT_IN_PROJECT_IOS_BUNDLE_ID"),
        ("ipbi=com.other", "NOT_IN_PROJECT_IPAD_BUNDLE_ID"),
        ("ius=x", "UNNECESSARY_IOS_URL_SCHEME"), ("isi=x", "NOT_NUMERIC_IOS_APP_STORE_ID"),
        ("isi=1", "UNNECESSARY_IOS_APP_STORE_ID"), ("ifl=x", "NOT_URI_IOS_FALLBACK_LINK"),
        ("ifl=itms%3A%2F%2Fx", "BAD_URI_SCHEME_IOS_FALLBACK_LINK"),
        ("ipfl=x", "NOT_URI_IPAD_FALLBACK_LINK"),
        ("ipfl=itms%3A%2F%2Fx", "BAD_URI_SCHEME_IPAD_FALLBACK_LINK"),
        ("d=2", "BAD_DEBUG_PARAM"), ("ad=x", "BAD_AD_PARAM"), ("gclid=x", "DEPRECATED_PARAM"),
        ("x=y", "UNRECOGNIZED_PARAM"),
        ("ct=\(String(repeating: "x", count: 41))", "TOO_LONG_PARAM"),
        ("si=x", "NOT_URI_SOCIAL_IMAGE_LINK"),
        ("si=http%3A%2F%2Fwww.example.com%2Fi.png", "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"),
        ("_x=\(String(repeating: "x", count: 7_200))", "LINK_LENGTH_TOO_LONG"),
        ("st=x#top", "LINK_WITH_FRAGMENTS"),
        ("ibi=com.example.shop&isi=1", "NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"),
        ("at=x", "CODE_UNSPECIFIED"),
    ])
    func whatIsNotKeptIsWarnedOfByItsCode(_ parameters: String, _ code: String) throws {
        let api = try TestAPI(Self.configuration)
        let long = Self.prefix + "/?link=https%3A%2F%2Fwww.example.com%2F&" + parameters
        let made = try short(api, Old.Request(longDynamicLink: long))
        #expect(made.warning?.map(\.warningCode.rawValue) == [code])
    }

    /// A request as JSON, and the member and the beginning of what is said of it.
    @Test(arguments: [
        ("{}", "", "one of longDynamicLink and dynamicLinkInfo"),
        (#"{"longDynamicLink": null}"#, "", "one of longDynamicLink and dynamicLinkInfo"),
        (#"{"longDynamicLink": 1}"#, "longDynamicLink", "it is a number, must be a string"),
        (#"{"longDynamicLinks": "x"}"#, "longDynamicLinks", "there is no such member"),
        (#"{"dynamicLinkInfo": {"iosInfo": []}}"#, "dynamicLinkInfo.iosInfo", "it is an array"),
        (
            #"{"dynamicLinkInfo": {"link": "https://www.example.com/"}}"#,
            "dynamicLinkInfo.domainUriPrefix", "it is missing"
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "https://example.page.link", "link": "x"}}"#,
            "dynamicLinkInfo.domainUriPrefix",
            "\"https://example.page.link\" has no links of Firebase; https://go.example.com/links, "
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/s", "link": "x"}}"#,
            "dynamicLinkInfo.domainUriPrefix", "\"https://go.example.com/s\" has no links"
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/links"}}"#, "link",
            "it is missing"
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "http://go.example.com/links", "link": "x"}}"#,
            "dynamicLinkInfo.domainUriPrefix", "\"http://go.example.com/links\" must be https://"
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/links?a=1", "link": "x"}}"#,
            "dynamicLinkInfo.domainUriPrefix",
            "\"https://go.example.com/links?a=1\" must be https://, a host and a path, and nothing else"
        ),
        (
            #"{"dynamicLinkInfo": {"dynamicLinkDomain": "u@go.example.com/links", "link": "x"}}"#,
            "dynamicLinkInfo.dynamicLinkDomain", "\"https://u@go.example.com/links\" must be"
        ),
        (
            #"{"dynamicLinkInfo": {"dynamicLinkDomain": "go.example.com:8443/links", "link": "x"}}"#,
            "dynamicLinkInfo.dynamicLinkDomain", "\"https://go.example.com:8443/links\" must be"
        ),
        (
            #"{"dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com/links", "#
                + #""dynamicLinkDomain": "go.example.com/links", "link": "x"}}"#,
            "dynamicLinkInfo", "one of domainUriPrefix and dynamicLinkDomain"
        ),
        (
            #"{"longDynamicLink": "https://u@go.example.com/links/?link=https%3A%2F%2Fwww.example.com"}"#,
            "longDynamicLink",
            "\"https://u@go.example.com/links/?link=https%3A%2F%2Fwww.example.com\" must be "
        ),
        (#"{"longDynamicLink": "https://go.example.com/links/?apn=x"}"#, "link", "it is missing"),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=javascript%3A1"}"#, "link",
            "\"javascript:1\": a URL must begin"
        ),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=https%3A%2F%2Fevil.example"}"#,
            "link", "\"evil.example\" is not in"
        ),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=https%3A%2F%2Fwww.example.com"#
                + #"&ofl=https%3A%2F%2Fevil.example"}"#, "ofl", "\"evil.example\" is not in"
        ),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=x", "suffix": {"option": "X"}}"#,
            "suffix.option", "it is a string, must be one of"
        ),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=https%3A%2F%2Fwww.example.com","#
                + #""suffix": {"option": "CUSTOM"}}"#, "suffix", "customSuffix"
        ),
        (
            #"{"longDynamicLink": "https://go.example.com/links/?link=https%3A%2F%2Fwww.example.com","#
                + #""suffix": {"option": "CUSTOM", "customSuffix": "a/b"}}"#, "/slug", "\"a/b\""
        ),
    ])
    func whatIsWrongIsSaidInTheFormOfGooglesAPIs(
        _ json: String, _ field: String, _ description: String
    ) throws {
        let api = try TestAPI(Self.configuration)
        let answer = api.ask("POST", "shortLinks", json)
        #expect(answer.status == 400 && answer.type == "application/json")
        let failure = try JSONDecoder().decode(Old.Failure.self, from: Data(answer.content)).error
        #expect(failure.code == 400 && failure.status == "INVALID_ARGUMENT")
        let violation = failure.details?.first?.fieldViolations?.first
        #expect(violation?.field == field, "\(answer.text)")
        #expect(violation?.description.hasPrefix(description) == true, "\(answer.text)")
    }

    @Test func eachUnknownParameterHasOneWarningUpToAHundred() throws {
        let api = try TestAPI(Self.configuration)
        let long = Self.prefix + "/?link=https%3A%2F%2Fwww.example.com%2F"
        for (query, count) in [
            ("&u=1&u=2&v=1", 2), (String(repeating: "&u=1&d=7", count: 5_000), 2),
            ((1...100).map { "&u\($0)=1" }.joined(), 100),
            ((1...4_000).map { "&u\($0)=1" }.joined(), 101),
        ] {
            let made = try short(api, Old.Request(longDynamicLink: long + query))
            let warnings = (made.warning ?? []).filter { $0.warningCode != .LINK_LENGTH_TOO_LONG }
            #expect(warnings.count == count)
            if count == 101 {
                #expect(warnings.last?.warningMessage.contains("3900 more parameters") == true)
            }
        }
    }

    @Test func whoMayNotIsRefusedInTheFormOfGooglesAPIs() throws {
        let api = try TestAPI(Self.configuration)
        let reader = api.ask("POST", "tokens", #"{"name": "r", "scopes": ["links.read"]}"#)
        let other = api.ask(
            "POST", "tokens",
            #"{"name": "o", "scopes": ["links.create", "stats.read"], "collections": ["other"]}"#)
        let json = try JSONEncoder().encode(Self.info())
        for (token, key, code, status) in [
            ("", "", 401, "UNAUTHENTICATED"), ("wrong", "", 401, "UNAUTHENTICATED"),
            ("", "?key=wrong", 401, "UNAUTHENTICATED"),
            (reader["token"], "", 403, "PERMISSION_DENIED"),
            (other["token"], "", 403, "PERMISSION_DENIED"),
        ] {
            let answer = api.ask(
                "POST", "shortLinks\(key)", String(decoding: json, as: UTF8.self), token: token)
            let failure = try JSONDecoder().decode(
                Old.Failure.self, from: Data(answer.content)
            ).error
            #expect(answer.status == code && failure.code == code && failure.status == status)
        }
        // The key is a token, which needs the scope.
        let maker = api.ask("POST", "tokens", #"{"name": "m", "scopes": ["links.create"]}"#)
        let made = api.ask(
            "POST", "shortLinks?key=\(maker["token"])&alt=json",
            String(decoding: json, as: UTF8.self), token: "")
        #expect(made.status == 200, "\(made.text)")
        // Of operations that are not Firebase's, a query has no token.
        #expect(api.ask("GET", "links?key=\(reader["token"])", token: "").status == 401)
        let taken = api.ask(
            "POST", "shortLinks",
            """
            {"longDynamicLink": "\(Self.prefix)/?link=https%3A%2F%2Fwww.example.com",
             "suffix": {"customSuffix": "\(made["shortLink"].split(separator: "/").last ?? "")"}}
            """)
        #expect(taken.status == 409 && taken.text.contains("ALREADY_EXISTS"))
    }

    @Test func aManagedLinkHasItsName() throws {
        let api = try TestAPI(Self.configuration)
        var request = Self.info { $0.navigationInfo = .init(enableForcedRedirect: true) }
        request.name = "Spring"
        let made: Old.ManagedShortLink = try ask(api, "managedShortLinks:create", request)
        #expect(made.managedShortLink.linkName == "Spring")
        #expect(made.managedShortLink.info == request.dynamicLinkInfo)
        #expect(made.managedShortLink.creationTime == "2027-01-15T08:00:00Z")
        #expect(made.managedShortLink.visibility == .UNARCHIVED)
        #expect(made.previewLink == made.managedShortLink.link + "?d=1")
        let link = api.ask("GET", "links:find?url=\(made.managedShortLink.link)")
        #expect(link["note"] == "Spring")
    }

    @Test func anAppIsToldWhatItsLinkSays() throws {
        let api = try TestAPI(Self.configuration)
        let made = try short(
            api,
            Self.info { info in
                info.iosInfo?.iosMinimumVersion = "2.1"
                info.analyticsInfo = .init(
                    googlePlayAnalytics: .init(utmSource: "mail", utmMedium: "m m"))
            })
        func attribution(_ path: String, _ json: String) throws -> Old.Attribution {
            let answer = api.ask("POST", path, json)
            #expect(answer.status == 200, "\(answer.text)")
            return try JSONDecoder().decode(Old.Attribution.self, from: Data(answer.content))
        }
        let link = Self.link + "?utm_source=mail&utm_medium=m%20m"
        let long = Self.prefix + "/?link=" + link.replacing("&", with: "%26")
        for (asked, version) in [(made.shortLink, "2.1"), (long, nil)] as [(String, String?)] {
            let found = try attribution(
                "reopenAttribution",
                #"{"bundleId": "com.example.shop", "requestedLink": "\#(asked)"}"#)
            #expect(found.deepLink == link)
            #expect(found.utmSource == "mail" && found.utmMedium == "m m")
            #expect(found.utmCampaign == nil && found.iosMinAppVersion == version)
            // The long link says the same again.
            let resolved = try #require(found.resolvedLink)
            let again = try attribution("reopenAttribution", #"{"requestedLink": "\#(resolved)"}"#)
            #expect(again.deepLink == found.deepLink, "\(resolved)")
        }
        // A link from the clipboard is the link; without one, nothing is guessed.
        let found = try attribution(
            "installAttribution",
            """
            {"bundleId": "com.example.shop", "uniqueMatchLinkToCheck": "\(made.shortLink)",
             "device": {"timezone": "Europe/Berlin", "screenResolutionWidth": "390"},
             "appInstallationTime": "1800000000"}
            """)
        #expect(found.attributionConfidence == .UNIQUE && found.deepLink == link)
        #expect(found.requestedLink == made.shortLink)
        for link in ["", "https://evil.example/x"] {
            let none = try attribution(
                "installAttribution",
                """
                {"bundleId": "com.example.shop", "uniqueMatchLinkToCheck": "\(link)",
                 "device": {"timezone": "Europe/Berlin", "screenResolutionWidth": "390"}}
                """)
            #expect(none.attributionConfidence == nil && none.deepLink == nil)
            #expect(none.matchMessage?.contains("devices are not compared") == true)
        }
        for link in ["https://evil.example/x", Self.prefix + "/none"] {
            let answer = api.ask(
                "POST", "reopenAttribution", #"{"requestedLink": "\#(link)"}"#)
            #expect(answer.status == 404 && answer.text.contains("NOT_FOUND"))
        }
        #expect(api.ask("POST", "reopenAttribution", "{}").status == 400)
    }

    @Test func eventsAreThoseThatAreCounted() throws {
        let api = try TestAPI(Self.configuration)
        let made = try short(api, Self.info())
        let link = api.ask("GET", "links:find?url=\(made.shortLink)")
        let id = try #require(LinkID(link["id"]))
        let number = try #require(try api.store.number(of: id))
        let shared = SharedVisits()
        try shared.open(api.store.path + ".visits")
        var batch = VisitBatch()
        let hour = api.now / 3_600
        for (visitClass, outcome, platform, count) in [
            (.visit, .store, 0, 3), (.visit, .page, 1, 2), (.visit, .redirect, 2, 5),
            (.visit, .redirect, 3, 7), (.bot, .page, 3, 100), (.open, .page, 0, 4),
            (.firstOpen, .page, 0, 6),
        ] as [(VisitClass, VisitOutcome, UInt8, Int)] {
            batch.add(
                VisitKey(link: number, hour: hour, visitClass, outcome, platform: platform), count)
        }
        try shared.use { [batch] store throws(StoreError) in try store.add(batch) }
        var request = APIRequest(
            method: "GET", path: [made.shortLink, "linkStats"],
            query: [("durationDays", "7"), ("sdkVersion", "1")],
            fields: ["authorization": "Bearer \(TestAPI.secret)"])
        func answer() -> APIResponse {
            api.api.answer(
                request, api.store, at: api.now * 1_000, localSecret: TestAPI.secret,
                visits: shared)
        }
        let found = answer()
        let events = try JSONDecoder().decode(
            Old.Statistics.self, from: Data(found.content)
        ).linkEventStats
        func event(
            _ platform: Old.Statistics.Event.Platform, _ kind: Old.Statistics.Event.Kind,
            _ count: String
        ) -> Old.Statistics.Event { .init(platform: platform, count: count, event: kind) }
        #expect(
            events == [
                event(.ANDROID, .CLICK, "5"), event(.DESKTOP, .CLICK, "7"),
                event(.IOS, .CLICK, "5"),
                event(.OTHER, .APP_FIRST_OPEN, "6"), event(.OTHER, .APP_RE_OPEN, "4"),
                event(.OTHER, .REDIRECT, "15"),
            ], "\(found.text)")
        // Other days.
        api.now += 10 * 86_400
        #expect(answer().text == #"{"linkEventStats": []}"# + "\n")
        for (days, status) in [("0", 400), ("1", 200), ("761", 200), ("762", 400), ("x", 400)] {
            request.query = [("durationDays", days)]
            #expect(answer().status == status)
        }
        request.query = []
        for path in [
            ["https://go.example.com/links/none"], ["https:", "", "go.example.com", "none"],
        ] {
            request.path = path + ["linkStats"]
            #expect(answer().status == 404 && answer().text.contains("NOT_FOUND"))
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self)
            || (0x61...0x7A).contains(self)
    }
}
