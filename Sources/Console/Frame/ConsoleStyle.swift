/// The styles of the console, in the colours and the type of landing pages.
enum ConsoleStyle {
    static let text: StaticString = """
        :root{color-scheme:light dark;--accent:#1757d6;--on-accent:#fff;--background:#f3f4f7;--surface:#fff;
        --text:#14171f;--muted:#565d6d;--line:#d5d9e2;--bad:#b3261e;
        --font:system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
        @media (prefers-color-scheme:dark){:root{--accent:#8fb4ff;--on-accent:#000;--background:#0d0f14;
        --surface:#191c24;--text:#f2f4f8;--muted:#a9b1c2;--line:#333947;--bad:#ff8a80}}
        *{box-sizing:border-box}
        html{font:100%/1.5 var(--font);color:var(--text);background:var(--background)}
        body{margin:0}

        """
}
