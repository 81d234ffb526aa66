/// The built-in templates, which operators may replace one by one.
enum Templates {
    static let builtIn: [String: StaticString] = [
        "landing": landing, "header": header, "logo": logo, "app": app, "notice": notice,
        "actions": actions, "code": code, "footer": footer, "hero": hero, "glyph": glyph,
    ]

    private static let landing: StaticString = """
        <!doctype html>
        <html lang="{{language}}" dir="{{direction}}" prefix="og: https://ogp.me/ns#">
        <head>
        {{{head}}}</head>
        <body class="{{platform}}">
        {{>header}}
        <main>
        <article class="card">
        {{>notice}}
        {{#picture}}
        <figure class="picture"><img src="{{url}}" alt="{{alt}}"></figure>
        {{/picture}}
        {{>hero}}
        <div class="content">
        {{>app}}
        <h1 class="title{{#long}} long{{/long}}" dir="auto">{{title}}</h1>
        {{#description}}
        <p class="description" dir="auto">{{description}}</p>
        {{/description}}
        {{>actions}}
        </div>
        </article>
        {{>code}}
        </main>
        {{>footer}}
        </body>
        </html>

        """

    /// The colours of the site in place of a picture.
    private static let hero: StaticString = """
        {{^picture}}
        {{^browser}}
        {{^unknown}}
        <div class="hero"></div>
        {{/unknown}}
        {{/browser}}
        {{/picture}}

        """

    /// An arrow into a tray, which says that something is to be had.
    private static let glyph: StaticString = """
        <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/></svg>
        """

    /// A link to the site.
    private static let header: StaticString = """
        {{#site}}
        <header class="site">
        {{#home}}
        <a href="{{home}}">{{>logo}}</a>
        {{/home}}
        {{^home}}
        <p>{{>logo}}</p>
        {{/home}}
        </header>
        {{/site}}

        """

    /// An image, or the name in its place.
    private static let logo: StaticString = """
        {{#logo}}<img class="logo" src="{{logo}}" alt="{{name}}">{{/logo}}{{^logo}}{{name}}{{/logo}}
        """

    private static let app: StaticString = """
        {{#app}}
        <div class="app">
        {{#icon}}
        <span class="icon"><img src="{{icon}}" alt=""></span>
        {{/icon}}
        {{#name}}
        <p dir="auto">{{name}}</p>
        {{/name}}
        </div>
        {{/app}}

        """

    /// The advice to people in the browsers of other apps.
    private static let notice: StaticString = """
        {{#browser}}
        <section class="notice" aria-labelledby="notice">
        <h2 id="notice">{{texts.browser}}</h2>
        <p>{{texts.browser-hint}}</p>
        <button type="button" class="button primary" data-copy="{{link}}"
        data-copied="{{texts.copied}}" aria-describedby="address" hidden>{{texts.copy-link}}</button>
        <p role="status"></p>
        <p>{{texts.copy}} <bdi class="address" id="address">{{link}}</bdi></p>
        </section>
        {{/browser}}

        """

    /// The visitor's choices, the most likely first.
    private static let actions: StaticString = """
        {{#tablet}}
        <div class="actions for-tablet">
        <a class="button primary" href="{{open}}">{{texts.open}}</a>
        {{#store}}
        <a class="button" href="{{store}}">{{>glyph}}{{texts.app-store}}</a>
        {{/store}}
        </div>
        {{/tablet}}
        <div class="actions">
        {{^browser}}
        {{#open}}
        <a class="button primary" href="{{open}}">{{texts.open}}</a>
        {{/open}}
        {{/browser}}
        {{#desktop}}
        {{#web}}
        <a class="button primary web" href="{{web}}">{{texts.web}}</a>
        {{/web}}
        {{/desktop}}
        {{^desktop}}
        {{#unknown}}
        {{#web}}
        <a class="button primary" href="{{web}}">{{texts.web}}</a>
        {{/web}}
        {{/unknown}}
        {{/desktop}}
        {{#stores}}
        <div class="stores{{#tablet}} for-desktop{{/tablet}}">
        {{#desktop}}
        <h2>{{texts.get}}</h2>
        {{/desktop}}
        {{#app-store}}
        {{#badge}}
        <a class="badge" href="{{url}}"><img src="{{badge}}" alt="{{texts.app-store}}"></a>
        {{/badge}}
        {{^badge}}
        <a class="button" href="{{url}}">{{>glyph}}{{texts.app-store}}</a>
        {{/badge}}
        {{/app-store}}
        {{#google-play}}
        {{#badge}}
        <a class="badge" href="{{url}}"><img src="{{badge}}" alt="{{texts.google-play}}"></a>
        {{/badge}}
        {{^badge}}
        <a class="button" href="{{url}}">{{>glyph}}{{texts.google-play}}</a>
        {{/badge}}
        {{/google-play}}
        </div>
        {{/stores}}
        {{^desktop}}
        {{^unknown}}
        {{#web}}
        <a class="button plain" href="{{web}}">{{texts.web}}</a>
        {{/web}}
        {{/unknown}}
        {{#browser}}
        {{#open}}
        <a class="button" href="{{open}}">{{texts.open}}</a>
        {{/open}}
        {{/browser}}
        {{#scheme}}
        <a class="button plain" href="{{scheme}}">{{texts.scheme}}</a>
        {{/scheme}}
        {{/desktop}}
        {{#stranded}}
        <p>{{texts.unavailable}}</p>
        {{#home}}
        <a class="button" href="{{home}}">{{texts.home}}</a>
        {{/home}}
        {{/stranded}}
        {{#unknown}}
        {{^web}}
        {{#home}}
        <a class="button primary" href="{{home}}">{{texts.home}}</a>
        {{/home}}
        {{/web}}
        {{/unknown}}
        </div>

        """

    /// The way from a desktop to the phone.
    private static let code: StaticString = """
        {{#qr}}
        <aside class="code{{#tablet}} for-desktop{{/tablet}}" aria-labelledby="scan">
        <h2 id="scan">{{texts.scan}}</h2>
        {{{qr}}}
        {{#opens}}
        <p>{{texts.scan-hint}}</p>
        {{/opens}}
        <p class="address"><bdi>{{address}}</bdi></p>
        </aside>
        {{/qr}}

        """

    private static let footer: StaticString = """
        {{#footer}}
        <footer>
        {{#imprint}}
        <a href="{{imprint}}">{{texts.imprint}}</a>
        {{/imprint}}
        {{#privacy}}
        <a href="{{privacy}}">{{texts.privacy}}</a>
        {{/privacy}}
        {{#google-play}}
        {{#badge}}
        <p>{{texts.trademarks}}</p>
        {{/badge}}
        {{/google-play}}
        </footer>
        {{/footer}}

        """
}
