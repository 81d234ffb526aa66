import Migration

extension Migration.Kind {
    /// The kind, for people.
    var words: String {
        switch self {
        case .apple: "apple-app-site-association"
        case .android: "assetlinks.json"
        case .netlify: "redirects of Netlify"
        case .nginx: "redirects of nginx"
        case .apache: "redirects of Apache"
        case .csv: "table of redirects"
        case .vercel: "redirects of Vercel"
        case .firebase: "redirects of Firebase"
        case .caddy: "redirects of Caddy"
        }
    }
}
