/// The built-in templates, which operators may replace one by one.
enum Templates {
    static let builtIn: [String: StaticString] = [
        "landing": landing, "header": header, "app": app, "notice": notice, "actions": actions,
        "code": code, "footer": footer,
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
        {{#picture}}
        <img class="picture" src="{{url}}" alt="{{alt}}">
        {{/picture}}
        <div class="content">
        {{>app}}
        <h1 dir="auto">{{title}}</h1>
        {{#description}}
        <p class="description" dir="auto">{{description}}</p>
        {{/description}}
        {{>notice}}
        {{>actions}}
        </div>
        </article>
        {{>code}}
        </main>
        {{>footer}}
        </body>
        </html>

        """

    /// The name of the site or the app.
    private static let header: StaticString = """
        {{#site}}
        <header class="site">
        {{#logo}}
        <img class="logo" src="{{logo}}" alt="{{name}}">
        {{/logo}}
        {{^logo}}
        <p>{{name}}</p>
        {{/logo}}
        </header>
        {{/site}}

        """

    private static let app: StaticString = """
        {{#app}}
        <div class="app">
        {{#icon}}
        <img class="icon" src="{{icon}}" alt="" width="56" height="56">
        {{/icon}}
        <p dir="auto">{{name}}</p>
        </div>
        {{/app}}

        """

    /// What to do in the browsers of other apps.
    private static let notice: StaticString = """
        {{#browser}}
        <section class="notice" aria-labelledby="notice">
        <h2 id="notice">{{texts.browser}}</h2>
        <p>{{texts.browser-hint}}</p>
        <p>{{texts.copy}} <bdi class="address">{{link}}</bdi></p>
        </section>
        {{/browser}}

        """

    /// What the visitor can do, the most likely first.
    private static let actions: StaticString = """
        {{#tablet}}
        <div class="actions for-tablet">
        <a class="button primary" href="{{open}}">{{texts.open}}</a>
        {{#store}}
        <a class="button" href="{{store}}">{{texts.app-store}}</a>
        {{/store}}
        </div>
        {{/tablet}}
        <div class="actions">
        {{#open}}
        <a class="button primary" href="{{open}}">{{texts.open}}</a>
        {{/open}}
        {{#desktop}}
        {{#web}}
        <a class="button primary web" href="{{web}}">{{texts.web}}</a>
        {{/web}}
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
        <a class="button" href="{{url}}">{{texts.app-store}}</a>
        {{/badge}}
        {{/app-store}}
        {{#google-play}}
        {{#badge}}
        <a class="badge" href="{{url}}"><img src="{{badge}}" alt="{{texts.google-play}}"></a>
        {{/badge}}
        {{^badge}}
        <a class="button" href="{{url}}">{{texts.google-play}}</a>
        {{/badge}}
        {{/google-play}}
        </div>
        {{/stores}}
        {{^desktop}}
        {{#web}}
        <a class="button plain" href="{{web}}">{{texts.web}}</a>
        {{/web}}
        {{#scheme}}
        <a class="button plain" href="{{scheme}}">{{texts.scheme}}</a>
        {{/scheme}}
        {{/desktop}}
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
        {{#google-play}}
        {{#badge}}
        <footer><p>{{texts.trademarks}}</p></footer>
        {{/badge}}
        {{/google-play}}

        """
}
