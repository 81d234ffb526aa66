private import Markup

/// The styles of the console, in the colours and the type of landing pages.
enum ConsoleStyle {
    /// All of it, as pages have it and as a browser hashes it.
    static let bytes = Array((palette + rules.description).utf8)

    /// The colours as variables. Corners are smaller than those of landing pages: there are many boxes.
    private static var palette: String {
        let all = ConsoleColour.all.map(\.value)
        let light = all.map { "--\($0.name):\($0.light)" }.joined(separator: ";")
        let dark = all.map { "--\($0.name):\($0.dark)" }.joined(separator: ";")
        return ":root{color-scheme:light dark;--radius:12px;--font:\(HouseLook.font);\(light)}\n"
            + "@media (prefers-color-scheme:dark){:root{\(dark)}}\n"
    }

    private static let rules: StaticString = """
        *{box-sizing:border-box}
        html{font:100%/1.5 var(--font);color:var(--text);background:var(--background);
        -webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0}
        h1,h2,h3,p,ul,ol,dl,figure{margin:0}
        h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;text-wrap:balance;
        overflow-wrap:anywhere}
        h2{font-size:1.125rem;line-height:1.35}
        h3{font-size:1rem}
        a{color:var(--accent);text-underline-offset:.3em}
        a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,
        select:focus-visible,textarea:focus-visible,[tabindex]:focus-visible{
        outline:3px solid var(--accent);outline-offset:2px}
        #main:focus{outline:none}
        [hidden]{display:none!important}
        .skip{position:absolute;left:-99rem}
        .skip:focus{left:1rem;top:.5rem;z-index:2;padding:.5rem 1rem;background:var(--surface)}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
        white-space:nowrap}
        header{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;
        padding:.5rem 1.25rem;background:var(--surface);border-bottom:1px solid var(--line)}
        .brand{font-weight:700;white-space:nowrap}
        .brand a{display:inline-block;padding:.375rem 0;color:inherit;text-decoration:none}
        .badge,.tag,.state{display:inline-block;padding:.0625rem .5rem;border-radius:1rem;
        border:1px solid var(--line);font-size:.8125rem;font-weight:500;color:var(--muted);
        overflow-wrap:anywhere}
        .state.unwell{color:var(--bad);border-color:currentcolor}
        .state.live{color:var(--good);border-color:currentcolor}
        .tag{margin:.0625rem 0;padding:.125rem .5rem;text-decoration:none;background:var(--tint);border-color:transparent;color:var(--text)}
        nav ul{display:flex;flex-wrap:wrap;gap:0 .25rem;padding:0;list-style:none}
        nav a{display:block;padding:.5rem .625rem;border-radius:.5rem;color:inherit;
        text-decoration:none}
        nav a[aria-current]{background:var(--tint);font-weight:600}
        .tabs{border-bottom:1px solid var(--line)}
        .tabs a{border-radius:.5rem .5rem 0 0}
        .person{position:relative;margin-inline-start:auto}
        .person summary{padding:.5rem;cursor:pointer;max-width:14rem;overflow:hidden;
        text-overflow:ellipsis;white-space:nowrap}
        .person>div{position:absolute;z-index:1;inset-inline-end:0;width:16rem;padding:1rem;
        background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);
        box-shadow:0 8px 24px #0003;overflow-wrap:anywhere}
        .person form{display:flex;flex-direction:column;gap:.5rem;margin-top:.75rem}
        main{overflow-wrap:anywhere;max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 3rem;display:flex;
        flex-direction:column;gap:1.25rem}
        footer{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;max-width:72rem;
        margin:0 auto;padding:1rem 1.25rem 2rem;font-size:.875rem}
        .top{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:center}
        .top .button{margin-inline-start:auto}
        .top .button+.button{margin:0}
        .back{font-size:.9375rem}
        .back a,footer a{display:inline-block;padding:.125rem 0;max-width:100%;overflow-wrap:anywhere}
        td button,.badge{white-space:nowrap}
        button,.button{display:inline-flex;align-items:center;justify-content:center;
        min-height:2.5rem;padding:.375rem 1rem;border:1px solid var(--edge);border-radius:.625rem;
        background:var(--surface);color:var(--text);font:inherit;font-weight:600;cursor:pointer;
        text-decoration:none}
        .primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
        .danger{color:var(--bad);border-color:currentcolor}
        button.plain{min-height:1.75rem;padding:0 .25rem;border:0;background:none;
        color:var(--accent);font-weight:400;text-decoration:underline;text-underline-offset:.3em}
        .copy{min-height:2rem;padding:.125rem .75rem}
        .buttons,.actions{display:flex;flex-wrap:wrap;gap:.75rem}
        input,select,textarea{width:100%;min-height:2.5rem;padding:.375rem .625rem;font:inherit;
        color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:.5rem}
        input[type=hidden]{display:none}
        textarea{resize:vertical}
        ::placeholder{color:var(--muted);opacity:1}
        label,legend{display:block;font-weight:600}
        legend{padding:0}
        fieldset{margin:0;padding:0;border:0;min-width:0}
        .box{display:flex;gap:.5rem;align-items:center;min-height:2rem;font-weight:400}
        .box input{width:1.5rem;min-height:1.5rem;flex:none;accent-color:var(--accent)}
        table form{margin:0}
        th>input[type=checkbox]{width:1.5rem;min-height:1.5rem;margin:0 .5rem 0 0;float:left;
        vertical-align:middle;accent-color:var(--accent)}
        th>input~.address{padding-inline-start:2rem}
        .hint,.quiet,.address,figcaption{color:var(--muted);font-size:.9375rem}
        .address{display:block;font-size:.875rem;overflow-wrap:anywhere}
        .url{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem}
        code{font-size:1rem;overflow-wrap:anywhere}
        code a{text-decoration:none}
        .filters{display:flex;flex-wrap:wrap;gap:.75rem;align-items:flex-end}
        .filters>div{flex:1 1 10rem}
        .filters .wide,.filters>div:first-child{flex:3 1 15rem}
        .filters>a{padding:.5rem 0}
        .filters>details{flex:1 1 100%}
        .filters fieldset{display:flex;flex-wrap:wrap;gap:0 1.25rem;padding-top:.5rem}
        details .filters{padding-top:.75rem}
        .maker{padding:1.25rem;background:var(--surface);border:1px solid var(--line);
        border-radius:var(--radius)}
        .columns{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
        .columns>*{display:flex;flex-direction:column;gap:1.25rem;min-width:0}
        section,.editor,.empty,.notice{display:flex;flex-direction:column;gap:.75rem;
        padding:1.25rem;background:var(--surface);border:1px solid var(--line);
        border-radius:var(--radius)}
        section section{padding:0;border:0}
        .notice{max-width:34rem;margin:2rem auto;gap:1rem}
        .empty{padding:2rem 1.25rem}
        .empty ol{padding-inline-start:1.25rem}
        .editor{max-width:46rem;gap:1.25rem}
        section>.editor{padding:0;border:0;gap:.5rem}
        section>.editor>.live:empty{min-height:0}
        .editor>.hint{overflow-wrap:anywhere}
        .field{display:flex;flex-direction:column;gap:.25rem}
        .field select+input{margin-top:.25rem}
        .stack{display:flex;flex-direction:column;gap:.75rem;align-items:flex-start}
        .stack .field{width:100%;max-width:24rem}
        .wrong{padding-inline-start:.875rem;border-inline-start:4px solid var(--bad)}
        .wrong input,.wrong select,.wrong textarea{border-color:var(--bad)}
        .fault{color:var(--bad);font-weight:600}
        .advice{font-weight:400}
        .errors,.success,.warnings{display:flex;flex-direction:column;gap:.5rem;padding:1rem 1.25rem;
        border:3px solid var(--bad);border-radius:var(--radius);background:var(--surface);
        overflow-wrap:anywhere}
        .errors ul,.warnings ul{padding-inline-start:1.25rem}
        .errors a{color:var(--bad);font-weight:600}
        .success ul{padding:0;list-style:none}
        .success{border-color:var(--good);flex-flow:row wrap;align-items:center;gap:.5rem 1rem}
        .warnings{border-color:var(--edge)}
        details.group{border-top:1px solid var(--line);padding-top:.75rem}
        details.group[open]>*{margin-bottom:1rem}
        summary{cursor:pointer;font-weight:600}
        .steps summary,.numbers summary{font-weight:400;color:var(--muted);font-size:.875rem;
        padding:.125rem 0}
        .steps ol{padding-inline-start:1.25rem;font-size:.875rem;overflow-wrap:anywhere}
        table{width:100%;border-collapse:collapse}
        caption{width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        th,td{padding:.625rem .5rem;text-align:start;vertical-align:top;
        border-bottom:1px solid var(--line);overflow-wrap:anywhere}
        thead th{font-size:.875rem;color:var(--muted);font-weight:600}
        tbody th{font-weight:500}
        .number,.pivot td{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
        .scroll{overflow-x:auto;background:linear-gradient(270deg,var(--surface) 50%,transparent) 100%/2.5rem 100% no-repeat local,
        linear-gradient(270deg,var(--edge),transparent) 100%/1rem 100% no-repeat}
        .scroll th:first-child{position:sticky;inset-inline-start:0;background:var(--surface);
        white-space:nowrap}
        .scroll th.long{min-width:9rem;max-width:20rem;white-space:normal}
        .scroll thead .number{min-width:4.5rem;white-space:normal;overflow-wrap:break-word}
        .narrow{max-width:40rem}
        .scroll .meter{width:30%;min-width:5rem}
        .links,.misses,.preview{background:var(--surface);border:1px solid var(--line);
        border-radius:var(--radius);border-collapse:separate;border-spacing:0}
        .links tbody tr:last-child>*,.misses tbody tr:last-child>*,.preview tbody tr:last-child>*{
        border-bottom:0}
        .preview th{overflow-wrap:normal}
        .name{font-weight:600;overflow-wrap:anywhere}
        .long{max-width:20rem}
        .links .name,.links .goal,.list .name,.back a{display:-webkit-box;-webkit-box-orient:vertical;
        -webkit-line-clamp:2;overflow:hidden}
        .links .name{max-width:24rem}
        .links th.link{font-weight:400}
        .links td.long,.links td.prose{overflow-wrap:anywhere}
        .links .state,.links .quiet{white-space:nowrap}
        .choices{table-layout:fixed}
        .choices thead th:last-child{width:16rem}
        .choices td.quiet{overflow:hidden;text-overflow:ellipsis}
        .findings th{white-space:nowrap}
        .list{display:flex;flex-direction:column;gap:.75rem;padding:0;list-style:none}
        .paging{display:flex;flex-wrap:wrap;gap:.75rem}
        .paging a.button{display:inline-flex}
        dl{display:grid;grid-template-columns:minmax(7rem,auto) minmax(0,1fr);gap:.5rem 1rem}
        dt{color:var(--muted)}
        dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
        kbd{padding:.125rem .5rem;border:1px solid var(--edge);border-radius:.25rem;font-size:.9375rem}
        .chart svg{display:block;width:100%;height:8rem}
        .most,.ends{font-size:.8125rem;color:var(--muted)}
        .ends{display:flex;justify-content:space-between}
        .bar{fill:var(--accent)}
        .hit{fill:none;pointer-events:all}
        .axis{stroke:var(--edge);fill:none;vector-effect:non-scaling-stroke}
        .s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}.s5{fill:var(--s5)}
        .s6{fill:var(--edge)}
        .legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none;
        font-size:.875rem;overflow-wrap:anywhere}
        .legend svg{width:.75rem;height:.75rem;margin-inline-end:.375rem}
        .sum{font-size:1.25rem;font-weight:600}
        .tables{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr))}
        .meter{width:40%}
        .meter svg{display:block;width:100%;height:.5rem;margin-top:.5rem}
        .history{display:flex;flex-direction:column;gap:.75rem;padding:0;list-style:none;
        overflow-wrap:anywhere}
        .history ul{padding-inline-start:1.25rem;font-size:.9375rem}
        del{color:var(--bad)}
        ins{color:var(--good);text-decoration:none}
        .code img{background:#fff;border-radius:.5rem;max-width:100%;height:auto}
        .alias{display:flex;flex-direction:column;gap:.5rem;align-items:flex-start}
        .end form{margin:0}
        .studio{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr);align-items:start}
        .draft>div{display:flex;flex-direction:column;gap:.75rem}
        .draft iframe{height:34rem}
        .draft figure,.draft details{min-width:0}
        .rows{display:flex;flex-direction:column;gap:.5rem;padding:0;list-style:none;font-size:.9375rem}
        .rows>li{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline}
        .rows>li>span:last-child{flex-basis:100%;overflow-wrap:anywhere}
        .rows .address{display:inline}
        .live{min-height:1.5rem;color:var(--muted);overflow-wrap:anywhere}
        @media (min-width:56rem){.who{white-space:nowrap}
        .bulk[open]{position:sticky;top:0;z-index:1;padding:.5rem 0;background:var(--background)}
        html:has(.bulk[open]){scroll-padding-top:9rem}}
        nav.choices{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
        .choices a[aria-current]{background:var(--tint);font-weight:600}
        .links td .tag{overflow-wrap:anywhere}
        @media (min-width:56rem){
        .links thead th,.links td,.links th.link{max-width:24rem;overflow-wrap:break-word}
        .links th.link{min-width:12rem}
        .links td .tag{max-width:10rem;overflow-wrap:break-word}
        .broad{overflow-x:auto}
        .broad th.link{position:sticky;inset-inline-start:0;background:var(--surface)}
        .broad td.long{min-width:8rem}
        .broad thead .number{white-space:normal}
        body:has(.broad) :is(main,footer){max-width:90rem}}
        .swatches{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));
        padding:0;list-style:none}
        .swatches li{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center}
        .swatches svg{width:2.5rem;height:1.5rem}
        .swatches rect{stroke:var(--edge)}
        .swatches span{flex-basis:100%}
        .frames{display:flex;flex-wrap:wrap;gap:1.25rem}
        .frames figure{flex:1 1 17rem;min-width:0;max-width:24.5rem}
        .frames.wide figure{flex-basis:100%;max-width:64rem}
        iframe{display:block;width:100%;height:44rem;margin-top:.25rem;border:1px solid var(--edge);
        border-radius:var(--radius);background:#fff}
        .card{max-width:24rem;padding:1rem;border:1px solid var(--edge);border-radius:var(--radius);
        overflow-wrap:anywhere}
        @media (min-width:64rem){.studio{grid-template-columns:minmax(0,1fr) minmax(0,24rem)}
        .draft{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto}}
        @media (min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) 19rem}}
        @media (max-width:29.99rem){.scroll .meter{display:none}
        .scroll tbody th:first-child,.scroll thead th:first-child{min-width:6.5rem;max-width:8.5rem;white-space:normal}}
        @media (max-width:47.99rem){
        .person summary{max-width:9rem}
        nav a{padding:.375rem .5rem;white-space:nowrap}
        .top .button{margin:0}}
        @media (max-width:55.99rem){
        header{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .5rem}
        header nav{grid-column:1/-1;grid-row:2}
        .brand{overflow:hidden;text-overflow:ellipsis}
        .links thead,.preview thead,.misses thead{display:none}
        :is(.links,.preview,.misses):is(table),:is(.links,.preview,.misses) :is(tbody,tr,td,th){
        display:block}
        :is(.links,.preview,.misses) tr{padding:.75rem .875rem;border-bottom:1px solid var(--line)}
        :is(.links,.preview,.misses) tr:last-child{border:0}
        :is(.links,.preview,.misses) :is(td,th){padding:.125rem 0;border:0;max-width:none}
        .links td:nth-child(n+3),.misses td{display:inline-block;margin-inline-end:.75rem}
        .links td:empty{display:none}
        .links td[data-label]{display:block}
        .links td.buttons{display:flex;padding-top:.5rem}
        .preview th,.misses th,.links th{font-weight:700}
        .number,.pivot td{text-align:start}
        :is(td,th)[data-label]::before{content:attr(data-label) ": ";color:var(--muted);
        font-size:.875rem}
        dl{grid-template-columns:minmax(0,1fr);gap:0}
        dd{margin-bottom:.5rem}}
        @media (prefers-contrast:more){:root{--muted:var(--text);--line:var(--edge)}}
        @media (forced-colors:active){.bar{fill:Highlight}.code img{forced-color-adjust:none}}
        @media print{header,footer,.filters,.end,.buttons{display:none}}

        """
}
