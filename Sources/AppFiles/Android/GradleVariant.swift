extension GradleScript {
    /// An app that releases of the module are.
    struct Variant {
        let flavor: String?
        /// Nil where only the build knows it.
        let applicationID: String?
        /// The values of `${name}` in the manifest. Nil where only the build knows them.
        let placeholders: [[UInt8]: String?]
        /// The API level of the oldest version of Android; nil if the script does not set it. The inner value is nil where
        /// only the build knows it.
        var leastAPI: Int??
        /// The API level of the version that the app is made for; nil if it is not known.
        var targetAPI: Int?
    }
}
