/// The plugins of registries that change nothing of an app's links and identifiers by what their documents say. Each other one is a
/// program that may do so.
enum KnownPlugins {
    /// A clause about the others.
    static let unknown = "it names plugins that are not known, or are replaced or patched here"

    /// Whether a package with plugins of Expo is known.
    static func areOfExpo(_ package: String) -> Bool { ofExpo.contains(package) }

    /// Whether a plugin of Cordova is known.
    /// - Parameter hasWebSchemes: whether a project gives plugins a scheme of the web as the value of a variable.
    static func isOfCordova(_ plugin: CordovaPackage, hasWebSchemes: Bool) -> Bool {
        let (name, version) = plugin.nameAndVersion
        // What comes from elsewhere than the registry is another plugin of this name.
        guard isOfRegistry(Array(name.utf8), version) else { return false }
        // Its hosts are read.
        if holds("universal-links", in: name) { return true }
        return ofCordova.contains(name)
            || name == "cordova-plugin-customurlscheme" && !hasWebSchemes
    }

    private static let ofExpo: Set = [
        "@config-plugins/android-jsc-intl", "@config-plugins/detox",
        "@config-plugins/ffmpeg-kit-react-native", "@config-plugins/react-native-ble-plx",
        "@config-plugins/react-native-blob-util", "@config-plugins/react-native-callkeep",
        "@config-plugins/react-native-pdf", "@config-plugins/react-native-webrtc",
        "@daily-co/config-plugin-rn-daily-js", "@intercom/intercom-react-native",
        "@kingstinct/react-native-healthkit", "@livekit/react-native-expo-plugin",
        "@logrocket/react-native", "@react-native-community/datetimepicker",
        "@react-native-firebase/app", "@react-native-firebase/app-check",
        "@react-native-firebase/auth", "@react-native-firebase/crashlytics",
        "@react-native-firebase/messaging", "@react-native-firebase/perf",
        "@react-native-google-signin/google-signin", "@react-native-voice/voice",
        "@rnmapbox/maps", "@sentry/react-native", "@stripe/stripe-react-native",
        "@stripe/stripe-terminal-react-native", "expo-ads-admob", "expo-apple-authentication",
        "expo-asset", "expo-audio", "expo-av", "expo-background-fetch", "expo-background-task",
        "expo-barcode-scanner", "expo-brightness", "expo-build-properties", "expo-calendar",
        "expo-camera", "expo-cellular", "expo-contacts", "expo-datadog", "expo-dev-client",
        "expo-dev-launcher", "expo-dev-menu", "expo-document-picker", "expo-face-detector",
        "expo-facebook", "expo-file-system", "expo-font", "expo-image", "expo-image-picker",
        "expo-in-app-purchases", "expo-insights", "expo-local-authentication",
        "expo-localization", "expo-location", "expo-mail-composer", "expo-maps",
        "expo-media-library", "expo-navigation-bar", "expo-notifications", "expo-quick-actions",
        "expo-router", "expo-screen-orientation", "expo-secure-store", "expo-sensors",
        "expo-speech-recognition",
        "expo-splash-screen", "expo-sqlite", "expo-status-bar", "expo-system-ui",
        "expo-task-manager", "expo-tracking-transparency", "expo-updates", "expo-video",
        "expo-web-browser", "newrelic-react-native-agent", "onesignal-expo-plugin",
        "posthog-react-native", "react-native-android-widget", "react-native-background-fetch",
        "react-native-background-geolocation", "react-native-ble-plx", "react-native-bootsplash",
        "react-native-compressor", "react-native-document-scanner-plugin",
        "react-native-edge-to-edge", "react-native-fbsdk-next", "react-native-google-cast",
        "react-native-google-mobile-ads", "react-native-health", "react-native-iap",
        "react-native-localize", "react-native-maps", "react-native-nfc-manager",
        "react-native-permissions", "react-native-share", "react-native-video",
        "react-native-vision-camera", "sentry-expo",
    ]

    private static let ofCordova: Set = [
        "com-sarriaroman-photoviewer", "cordova-clipboard", "cordova-plugin-actionsheet",
        "cordova-plugin-add-swift-support", "cordova-plugin-advanced-http",
        "cordova-plugin-android-permissions", "cordova-plugin-androidx",
        "cordova-plugin-androidx-adapter", "cordova-plugin-app-version",
        "cordova-plugin-appavailability", "cordova-plugin-apprate",
        "cordova-plugin-background-mode", "cordova-plugin-badge", "cordova-plugin-battery-status",
        "cordova-plugin-ble-central", "cordova-plugin-browsertab", "cordova-plugin-buildinfo",
        "cordova-plugin-calendar", "cordova-plugin-camera", "cordova-plugin-compat",
        "cordova-plugin-console", "cordova-plugin-contacts", "cordova-plugin-crosswalk-webview",
        "cordova-plugin-datepicker", "cordova-plugin-device", "cordova-plugin-device-motion",
        "cordova-plugin-device-orientation", "cordova-plugin-dialogs",
        "cordova-plugin-email-composer", "cordova-plugin-file", "cordova-plugin-file-opener2",
        "cordova-plugin-file-transfer", "cordova-plugin-filepath",
        "cordova-plugin-fingerprint-aio", "cordova-plugin-geolocation",
        "cordova-plugin-globalization", "cordova-plugin-googleplus", "cordova-plugin-http",
        "cordova-plugin-inappbrowser", "cordova-plugin-insomnia",
        "cordova-plugin-ionic-keyboard", "cordova-plugin-ionic-webview",
        "cordova-plugin-is-debug", "cordova-plugin-keyboard", "cordova-plugin-legacy-whitelist",
        "cordova-plugin-local-notification", "cordova-plugin-market", "cordova-plugin-media",
        "cordova-plugin-media-capture", "cordova-plugin-nativegeocoder",
        "cordova-plugin-nativestorage", "cordova-plugin-network-information",
        "cordova-plugin-networkinterface", "cordova-plugin-photo-library",
        "cordova-plugin-printer", "cordova-plugin-purchase", "cordova-plugin-qrscanner",
        "cordova-plugin-request-location-accuracy", "cordova-plugin-safariviewcontroller",
        "cordova-plugin-screen-orientation", "cordova-plugin-secure-storage",
        "cordova-plugin-spinner-dialog", "cordova-plugin-splashscreen",
        "cordova-plugin-statusbar", "cordova-plugin-themeablebrowser", "cordova-plugin-touch-id",
        "cordova-plugin-vibration", "cordova-plugin-whitelist", "cordova-plugin-wkwebview-engine",
        "cordova-plugin-x-socialsharing", "cordova-plugin-x-toast", "cordova-plugin-zip",
        "cordova-sqlcipher-adapter", "cordova-sqlite-storage", "cordova.plugins.diagnostic",
        "ionic-plugin-keyboard", "phonegap-plugin-barcodescanner", "phonegap-plugin-push",
    ]
}
