/// The built-in styles. All colours are variables, and sides follow the direction of the language.
enum StyleSheet {
    static let builtIn: StaticString = """
        *{box-sizing:border-box}
        html{font:100%/1.5 var(--font);color:var(--text);background:var(--background);
        -webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{display:flex;flex-direction:column;gap:1.25rem;min-height:100vh;min-height:100svh;
        margin:0;padding:max(1.25rem,env(safe-area-inset-top)) 1.25rem
        max(1.25rem,env(safe-area-inset-bottom))}
        h1,h2,p{margin:0;overflow-wrap:anywhere}
        img{display:block;max-width:100%}
        main,.card,.content{flex:1 0 auto;display:flex;flex-direction:column}
        main{gap:1.5rem;width:100%;max-width:34rem;margin:0 auto}
        .site,footer{width:100%;max-width:34rem;margin:0 auto;color:var(--muted)}
        .site{font-weight:600}
        .site a,footer a{display:inline-block;min-height:1.5rem;color:inherit}
        .site a{text-decoration:none}
        footer a{padding:.25rem 0;margin-inline-end:1.25rem}
        .logo{height:2rem;width:auto}
        .picture{margin:0;font-size:.875rem;color:var(--muted);overflow:hidden;
        border-radius:var(--radius)}
        .picture img{display:inline;vertical-align:top;width:100%;aspect-ratio:1.91;
        object-fit:cover}
        .picture:empty{display:none}
        .hero{flex:1 1 6rem;min-height:5rem;max-height:10rem;border-radius:var(--radius);
        background:var(--line);background:
        radial-gradient(110% 150% at 8% 0,color-mix(in oklab,var(--accent) 72%,var(--surface)),#0000 62%),
        radial-gradient(90% 130% at 96% 100%,color-mix(in oklab,var(--accent) 44%,var(--surface)),#0000 66%),
        color-mix(in oklab,var(--accent) 18%,var(--surface))}
        .content{gap:.75rem}
        .notice+.content,.picture+.content,.hero+.content{padding-top:1.25rem}
        .picture:empty+.content{padding-top:0}
        .app{display:flex;align-items:center;gap:.875rem;font-weight:600;line-height:1.3}
        .icon{flex:none;line-height:0}
        .icon img{display:inline;width:3.5rem;height:3.5rem;object-fit:cover;border-radius:22.5%;
        box-shadow:0 0 0 1px var(--line)}
        .content:first-child .app,.hero+.content .app{flex-direction:column;align-items:flex-start}
        .content:first-child .icon img,.hero+.content .icon img{width:5rem;height:5rem}
        .hero+.content .icon{margin:-2.5rem 0 0 1.25rem;position:relative}
        h1{font-size:clamp(1.625rem,1.25rem + 1.9vw,2.25rem);line-height:1.16;font-weight:700;
        letter-spacing:-.018em;text-wrap:balance;hyphens:auto}
        h1.long{font-size:clamp(1.25rem,1.1rem + .8vw,1.625rem);line-height:1.25;letter-spacing:-.01em}
        h2{font-size:1.0625rem;line-height:1.35;font-weight:600;text-wrap:balance}
        .description{font-size:1.0625rem;color:var(--muted);text-wrap:pretty}
        .actions,.stores{display:flex;flex-direction:column;gap:.75rem}
        .actions{padding-top:1rem}
        .actions p{color:var(--muted)}
        .content:first-child:has(h1+.actions){justify-content:center}
        .hero+.content>.actions:last-child,.picture+.content>.actions:last-child{margin-top:auto}
        [hidden]{display:none!important}
        .for-tablet+.actions{padding-top:.25rem}
        .button{display:flex;align-items:center;justify-content:center;min-height:3.25rem;
        padding:.75rem 1.25rem;border:1px solid transparent;border-radius:calc(var(--radius)*.6);
        background:var(--surface);color:var(--text);font-weight:600;line-height:1.25;
        text-align:center;text-decoration:none;overflow-wrap:anywhere;
        box-shadow:inset 0 0 0 1px var(--line)}
        .glyph{flex:none;width:1.25em;height:1.25em;margin-inline-end:.625em;fill:none;stroke:currentcolor;
        stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
        .primary{background:var(--accent);color:var(--on-accent);box-shadow:none}
        .plain{min-height:2.75rem;padding:.5rem 1rem;background:none;box-shadow:none;
        text-decoration:underline;text-decoration-color:var(--muted);
        text-decoration-thickness:1px;text-underline-offset:.25em}
        .content:not(.notice~*)>.actions>.plain:first-child,
        .content:not(.notice~*)>.actions>.stores:first-child:not(:has(~.primary))>.button:first-child{
        background:var(--accent);color:var(--on-accent);box-shadow:none;text-decoration:none;
        min-height:3.25rem}
        .badge{display:flex;align-items:center;justify-content:center;min-height:3rem;
        border-radius:.5rem}
        .badge img{height:3rem;width:auto}
        a:focus-visible{outline:3px solid var(--text);outline-offset:3px}
        button{font:inherit;cursor:pointer}
        .notice{display:flex;flex-direction:column;gap:.5rem;margin-bottom:1.25rem;
        padding:1.125rem 1.25rem;border:1px solid var(--line);border-radius:calc(var(--radius)*.75);
        background:var(--surface);font-size:.9375rem}
        .notice .address{display:block;color:var(--text)}
        .address{font-size:.875rem;color:var(--muted);overflow-wrap:anywhere;
        -webkit-user-select:all;user-select:all}
        .code{display:flex;flex-direction:column;align-items:center;justify-content:center;
        gap:1rem;padding:2rem 1.25rem;border-radius:var(--radius);background:var(--surface);
        text-align:center}
        .code p{max-width:26ch;font-size:.9375rem;color:var(--muted);text-wrap:balance}
        .code .address{max-width:100%;font-size:.8125rem;text-wrap:wrap}
        .qr{display:block;width:15rem;height:auto;max-width:100%;border-radius:1.125rem;
        forced-color-adjust:none;box-shadow:0 0 0 1px var(--line)}
        footer{font-size:.8125rem}
        @media (hover:hover){.button:hover{background:var(--line)}
        .primary:hover{background:var(--accent);
        background:color-mix(in oklab,var(--accent),var(--text) 14%)}
        .plain:hover{background:none;text-decoration-color:currentcolor;
        text-decoration-thickness:2px}}
        @media (prefers-reduced-motion:no-preference){
        .button{transition:background-color .15s,transform .15s}
        .button:active{transform:scale(.98)}}
        @media (max-width:39.99rem) and (min-height:35rem){
        html{scroll-padding-bottom:16rem}
        .actions:last-child{position:sticky;bottom:0;margin-bottom:-1rem;padding-bottom:1rem;
        background:var(--background)}
        .actions:last-child::before{content:"";position:absolute;inset:auto 0 100%;height:1.25rem;
        background:linear-gradient(#0000,var(--background));pointer-events:none}
        h1:nth-last-child(2),.description:nth-last-child(2){padding-bottom:.75rem}
        .tablet .actions,.notice~* .actions{position:static}
        .card:has(h1.long) .picture img{aspect-ratio:3}
        .tablet .actions::before,.notice~* .actions::before{content:none}}
        @media (min-width:40rem){
        body{padding:2rem}
        main{flex:none;margin:auto;padding:1.25rem;border-radius:calc(var(--radius) + 1.25rem);
        background:var(--surface);box-shadow:0 0 0 1px var(--line),0 1px 2px #0000000a,
        0 16px 48px #00000014}
        .content{padding:.75rem}
        .button:not(.primary,.plain),.notice,.code{background:var(--background)}}
        @media (min-width:60rem){
        .desktop main,.desktop .site,.desktop footer{max-width:60rem}
        .desktop main{display:grid;grid-template-columns:minmax(0,1fr) 21rem;gap:1.25rem}
        .desktop .content{justify-content:center}
        .desktop .card:only-child{grid-column:1/-1}
        .desktop .picture img{aspect-ratio:auto;height:clamp(9rem,100vh - 36rem,17rem)}
        .desktop .stores{flex-flow:row wrap;padding-top:.5rem}
        .desktop .stores h2{width:100%}
        .desktop .stores .button{flex:1 1 12rem}
        .tablet .desktop main{display:flex;max-width:34rem}}
        .for-tablet,.tablet .for-desktop.for-desktop{display:none}
        .tablet .for-tablet{display:flex}
        .tablet .web{background:none;color:var(--text);box-shadow:inset 0 0 0 1px var(--line)}
        @media print{body{min-height:0}.actions,.notice{display:none}}

        """
}
