/// A warning of Firebase Dynamic Links about a link, by its code (REST reference, `warningCode`).
package enum FirebaseWarning: String, CaseIterable, Sendable {
    case unspecified = "CODE_UNSPECIFIED"
    case notInProjectAndroidPackageName = "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"
    case notIntegerAndroidPackageMinVersion = "NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"
    case unnecessaryAndroidPackageMinVersion = "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"
    case notURIAndroidLink = "NOT_URI_ANDROID_LINK"
    case unnecessaryAndroidLink = "UNNECESSARY_ANDROID_LINK"
    case notURIAndroidFallbackLink = "NOT_URI_ANDROID_FALLBACK_LINK"
    case badSchemeAndroidFallbackLink = "BAD_URI_SCHEME_ANDROID_FALLBACK_LINK"
    case notInProjectIOSBundleID = "NOT_IN_PROJECT_IOS_BUNDLE_ID"
    case notInProjectIPadBundleID = "NOT_IN_PROJECT_IPAD_BUNDLE_ID"
    case unnecessaryIOSURLScheme = "UNNECESSARY_IOS_URL_SCHEME"
    case notNumericIOSAppStoreID = "NOT_NUMERIC_IOS_APP_STORE_ID"
    case unnecessaryIOSAppStoreID = "UNNECESSARY_IOS_APP_STORE_ID"
    case notURIIOSFallbackLink = "NOT_URI_IOS_FALLBACK_LINK"
    case badSchemeIOSFallbackLink = "BAD_URI_SCHEME_IOS_FALLBACK_LINK"
    case notURIIPadFallbackLink = "NOT_URI_IPAD_FALLBACK_LINK"
    case badSchemeIPadFallbackLink = "BAD_URI_SCHEME_IPAD_FALLBACK_LINK"
    case badDebugParameter = "BAD_DEBUG_PARAM"
    case badAdParameter = "BAD_AD_PARAM"
    case deprecatedParameter = "DEPRECATED_PARAM"
    case unrecognizedParameter = "UNRECOGNIZED_PARAM"
    case tooLongParameter = "TOO_LONG_PARAM"
    case notURISocialImageLink = "NOT_URI_SOCIAL_IMAGE_LINK"
    case badSchemeSocialImageLink = "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"
    case notURISocialURL = "NOT_URI_SOCIAL_URL"
    case badSchemeSocialURL = "BAD_URI_SCHEME_SOCIAL_URL"
    case linkLengthTooLong = "LINK_LENGTH_TOO_LONG"
    case linkWithFragments = "LINK_WITH_FRAGMENTS"
    case notMatchingIOSBundleIDAndStoreID = "NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"
}

/// A parameter of a link of Firebase Dynamic Links that is not kept, or does nothing.
package struct FirebaseNote: Hashable, Sendable {
    /// By its name in a long link.
    package let parameter: String
    package let code: FirebaseWarning
    package let detail: String
    package var advice: String?

    package init(
        _ parameter: String, _ code: FirebaseWarning, _ detail: String, advice: String? = nil
    ) {
        (self.parameter, self.code, self.detail, self.advice) = (parameter, code, detail, advice)
    }
}

/// The reason why a link of Firebase Dynamic Links is refused.
package struct FirebaseFault: Error, Hashable, Sendable {
    /// By its name in a long link; empty for the whole.
    package let parameter: String
    package let detail: String

    package init(_ parameter: String, _ detail: String) {
        (self.parameter, self.detail) = (parameter, detail)
    }

    /// The parameter, and what is wrong with it.
    package var words: String { parameter.isEmpty ? detail : "\(parameter): \(detail)" }
}
