private import Countries

extension PageWriter {
    /// A country as people of the language say it; its two letters where it has no name.
    func country(_ code: String) -> String {
        guard let names = CountryNames(code: code) else { return code }
        return setting.language == .de ? names.german : names.english
    }
}
