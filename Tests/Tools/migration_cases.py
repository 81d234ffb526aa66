"""Files of other servers, and requests whose answers must stay the same (`check-migration`).

A case has these members. `kind`: `nginx` and `apache` are asked; `caddy` is, too, if it is on
the PATH. Of it and of other services `asks` has the answers that their documentation promises. `files`: by name. `asks`: paths, or hosts with paths.
`pages`: public files of both. `lost`: a part of each line that says what is not translated.
`differs`: the requests that get another answer, and the words in docs/migration.md that say why.
`hosts`: what `--host` says; [] for nothing. `from`: what `--from` says; [] for the whole directory.
"""

CASES = []
SLASH = "A slash at the end"
X = "https://x.example"


def case(name, kind, files, asks, **more):
    if isinstance(files, str):
        files = {"site.conf": files}
    CASES.append(dict(name=name, kind=kind, files=files, asks=asks, **more))


def nginx(name, text, asks, **more):
    """A server's block, unless the text has its own."""
    if "server {" not in text:
        text = f"server {{ listen 80; server_name www.example.com;\n{text}\n}}"
    case(f"nginx-{name}", "nginx", text, asks, **more)


def htaccess(name, text, asks, **more):
    files = text if isinstance(text, dict) else {".htaccess": text}
    case(f"htaccess-{name}", "apache", files, asks, **{"from": [], **more})


def apache(name, text, asks, **more):
    if "<VirtualHost" not in text:
        text = f"<VirtualHost *:80>\nServerName www.example.com\n{text}\n</VirtualHost>"
    case(f"apache-{name}", "apache", text, asks, **more)


# --- nginx ----------------------------------------------------------------------------------------

nginx("exact", f"location = /a {{ return 301 {X}/b; }}", ["/a", "/a?q=1", "/a/b", "/b"])
nginx("statuses", "".join(
    f"location = /s{code} {{ return {code} {X}/; }}\n" for code in (301, 302, 307, 308)),
    ["/s301", "/s302", "/s307", "/s308"])
nginx("status-303", f"location = /a {{ return 303 {X}/; }}", ["/a"],
      differs={"/a": "303 and 300"})
nginx("prefix", f"location /a {{ return 302 {X}$request_uri; }}",
      ["/a", "/a/", "/ab", "/a/b?c=d", "/b"])
nginx("longest-prefix", f"""
location / {{ return 302 {X}/all; }}
location /a/ {{ return 302 {X}/a; }}
location /a/b/ {{ return 302 {X}/b; }}
""", ["/", "/z", "/a/x", "/a/b/x", "/a/b/"])
nginx("order", f"""
location ~ ^/a/ {{ return 302 {X}/expression; }}
location ^~ /a/first/ {{ return 302 {X}/first; }}
location = /a/exact {{ return 302 {X}/exact; }}
location /a/ {{ return 302 {X}/never; }}
""", ["/a/x", "/a/first/x", "/a/exact", "/a/exact2"])
nginx("taken", f"""
location / {{ return 302 {X}$request_uri; }}
location /app/ {{ root /nowhere; }}
location ~ \\.php$ {{ root /nowhere; }}
""", ["/", "/x", "/app/x", "/x.php", "/app"],
      lost=['location /app/', "location ~ "], differs={"/app": SLASH})
nginx("rewrite", f"""
rewrite ^/o/(.*)$ {X}/n/$1 permanent;
rewrite ^/p$ {X}/p? redirect;
rewrite ^/q/([^/]+)/([^/]+)$ {X}/$2/$1 redirect;
rewrite ^/r$ /s permanent;
""", ["/o/x", "/o/x/y?z=1", "/p?x=1", "/q/a/b", "/q/a/b/c", "/q/a", "/r", "/r?x=1"])
nginx("two-groups", f"location ~ ^/r/([^/]+)/([^/]+)$ {{ return 301 {X}/$2/$1; }}",
      ["/r/a/b", "/r/a", "/r/a/b/c", "/r/"])
nginx("digits", f"location ~ ^/p/(\\d+)/?$ {{ return 301 {X}/p/$1; }}",
      ["/p/7", "/p/7/", "/p/7/8"])
nginx("named", f"location ~ ^/n/(?<year>[0-9]+)/(?<slug>[^/]+)$ {{ return 301 {X}/$slug-$year; }}",
      ["/n/2020/a", "/n/2020"])
nginx("alternatives", f"location ~* ^/(?:shop|laden)/(a|b)$ {{ return 301 {X}/$1; }}",
      ["/shop/a", "/laden/b", "/SHOP/a", "/shop/c"])
nginx("unanchored", f"location ~ /old/(.*) {{ return 301 {X}/$1; }}",
      ["/old/x", "/a/old/x/y", "/ol/x"])
nginx("args", f"""
location = /a {{ return 302 {X}/?id=$arg_id; }}
location = /b {{ return 302 {X}/?x=1&$args; }}
location = /c {{ return 302 {X}/$is_args$args; }}
location = /d {{ return 302 $scheme://x.example$uri; }}
location = /e {{ return 302 {X}/${{arg_id}}; }}
""", ["/a?id=7&x=8", "/a", "/b?y=2", "/c?z=3", "/c", "/e?id=a"])
nginx("add-slash", """
location = /docs { return 301 /docs/; }
location /docs/ { root /nowhere; }
rewrite ^/(blog)$ /$1/ permanent;
location = /z { return 301 https://x.example/; }
""", ["/docs/x", "/z"], lost=["location /docs/", "return 301 /docs/", "rewrite ^/(blog)$"])
nginx("loop-of-two", """
location = /a { return 302 /b; }
location = /b { return 302 /a; }
location = /c { return 302 /d; }
location = /d { return 302 https://x.example/; }
""", ["/c", "/d"], lost=["return 302 /b", "return 302 /a"])
nginx("host-kept", """
location = /a { return 302 /b?c=d; }
location = /e { return 302 https://$host/f; }
location = /g { return 302 https://www.example.com/h; }
""", ["/a", "/e", "/g"])
nginx("refusals", """
location = /gone { return 410; }
location = /missing { return 404; }
location /secret { return 403; }
""", ["/gone", "/missing", "/secret/x"], differs={"/secret/x": "404 instead of 403"})
nginx("comment-redirect", f"""
# proxy_redirect off; this redirect ServerName RewriteRule <VirtualHost
location /app/ {{ proxy_pass http://127.0.0.1:9; proxy_redirect off; }}
location = /a {{ return 301 {X}/b; }}
""", ["/a"], lost=["location /app/"])
nginx("root", f"location = / {{ return 302 {X}/home; }}", ["/", "/x"])
nginx("root-page", f"location = /x {{ return 302 {X}/home; }}\nerror_page 404 /index.html;",
      ["/x", "/y", "/index.html"], pages={"index.html": "<!doctype html><title>x</title>"})
nginx("application", f"location = /x {{ return 302 {X}/home; }}\n"
      "location / { try_files $uri $uri/ /index.html; }",
      ["/x", "/y", "/y/z", "/index.html"], pages={"index.html": "<!doctype html><title>x</title>"})
nginx("application-with-error-page", f"location = /x {{ return 302 {X}/home; }}\nerror_page 404 /404.html;\n"
      "location / { try_files $uri $uri/ /index.html; }",
      ["/x", "/y", "/y/z", "/index.html"],
      pages={"index.html": "<!doctype html><title>x</title>", "404.html": "<!doctype html><title>404</title>"})
nginx("several-servers", f"""
server {{ listen 80; server_name a.example www.a.example; return 301 https://b.example$request_uri; }}
server {{ listen 80; server_name b.example; location = /x {{ return 302 {X}/b; }} }}
server {{ listen 80; server_name c.example; location = /x {{ return 302 {X}/c; }}
  location / {{ return 302 {X}/rest; }} }}
""", ["a.example/p?q=1", "www.a.example/", "b.example/x", "b.example/y", "c.example/x",
      "c.example/y"], hosts=[])
nginx("http-and-https", f"""
server {{ listen 80; server_name a.example www.a.example; return 301 https://a.example$request_uri; }}
server {{ listen 443 ssl; server_name a.example; location = /x {{ return 302 {X}/x; }} }}
server {{ listen 443 ssl; server_name www.a.example; return 301 https://a.example$request_uri; }}
""", ["a.example/x", "a.example/y", "www.a.example/x"], hosts=[])
nginx("default-server", f"""
server {{ listen 80 default_server; server_name _; return 301 https://a.example$request_uri; }}
server {{ listen 80; server_name a.example; location = /x {{ return 302 {X}/x; }} }}
""", ["a.example/x", "a.example/y"], hosts=[], lost=["server_name _"])
nginx("wildcard-host", f"""
server {{ listen 80; server_name *.a.example; return 302 {X}/w; }}
server {{ listen 80; server_name b.a.example; return 302 {X}/b; }}
""", ["b.a.example/", "c.a.example/"], hosts=[])
nginx("nested", f"""
location /a/ {{ location = /a/b {{ return 302 {X}/; }} }}
if ($http_x) {{ return 302 {X}/if; }}
location = /z {{ return 302 {X}/z; }}
""", ["/a/c", "/z"], lost=["within another", "no condition such as `if`"])
nginx("map", """
server { listen 80; server_name www.example.com; location = /z { return 302 https://x.example/z; } }
map $uri $target { /a /b; }
""", ["/z"], lost=["maps are not read"])
nginx("encoded", f"location = /a%20b {{ return 302 {X}/; }}\n"
      f"location \"/c d\" {{ return 302 {X}/cd; }}", ["/c%20d", "/a%20b"],
      lost=["needs a path with %2520"])
nginx("file-below", f"location /f/ {{ return 302 {X}/f; }}", ["/f/a.html"],
      pages={"f/a.html": "x"}, differs={"/f/a.html": "Public files come first"})
nginx("greedy-tail", f"location ~ ^/g/([^/]+)/(.+)$ {{ return 302 {X}/$2?y=$1; }}",
      ["/g/a/b", "/g/a/b/c", "/g/a"], differs={"/g/a": "An empty part"},
      lost=["takes paths of /g/*/* in which star 2 is empty"])
nginx("empty-parts", f"""
rewrite ^/g/([^/]*)$ {X}/g$1- redirect;
rewrite ^/h/([a-z]*)/h$ {X}/h$1- redirect;
rewrite ^/x(.+)y$ {X}/x$1- redirect;
rewrite ^/e-([^/]+)\\.html$ {X}/e$1- redirect;
rewrite ^/s/a([^/]+)/b([^/]+)$ {X}/s$1_$2. redirect;
rewrite ^/o(.+) {X}/o$1- redirect;
rewrite ^/n(/.*)?$ {X}/nn$1 redirect;
rewrite ^/m(?:/([^/]*))?$ {X}/mm/$1 redirect;
""", ["/g/", "/g/a", "/g/a/b", "/h/a/h", "/h/h", "/h//h", "/xy", "/xay", "/xyzy", "/x/y", "/e-.html",
      "/e-a.html", "/e-a/b.html", "/s/a/b", "/s/a1/b2", "/s/a/b2", "/s/a1/b", "/s/a1/b2/c", "/o",
      "/ox", "/ox/y", "/n", "/n/x", "/n/x/y", "/nx", "/m", "/m/", "/m/x", "/m/x/y"],
      lost=["for /n/ the destination has no slash at its end"])
nginx("empty-in-middle", f"rewrite ^/(.*)/x(.+)y$ {X}/$1-$2 redirect;",
      ["/a/xby", "/a/xy", "/a/b/xby"], lost=["star 2 is empty"], differs={"/a/xy": "An empty part"})
nginx("text-twice", f"rewrite ^/a([^/]+)/b(.*)$ {X}/$1-$2 redirect;",
      ["/a1/b2", "/a1/b2/b3", "/ax/y/b"], lost=["the text behind star 1 is there again"],
      differs={"/a1/b2/b3": "A text that is there twice"})
nginx("percent-signs", f"""
location = /a%20b {{ return 302 {X}/1; }}
location ~ ^/c%20(d)$ {{ return 302 {X}/$1; }}
location /e%2 {{ return 302 {X}/e; }}
location "/f g" {{ return 302 {X}/f%20g; }}
""", ["/a%20b", "/a%2520b", "/c%20d", "/e%2520", "/e%20", "/e%2", "/f%20g"],
      lost=["site.conf:3", "site.conf:4"],
      differs={"/a%2520b": "An escaped escape", "/e%2520": "An escaped escape"})
nginx("sample", f"""
location /e {{ return 302 {X}/e; }}
location / {{ return 302 {X}/home; }}
""", ["/e", "/example", "/x", "/"])
nginx("host-of-wildcard", f"""
server {{ listen 80; server_name a.example *.b.example;
location /q/ {{ return 301 https://$host/z$request_uri; }}
location = /r {{ return 301 /s; }}
location = /t {{ return 301 {X}/t; }} }}
""", ["a.example/q/a", "a.example/t", "z.b.example/t", "a.example/r", "z.b.example/r"], hosts=[],
      lost=["of *.b.example each host", "it leads to"],
      differs={"z.b.example/r": "The first host"})
nginx("prefix-segment", f"location ~ ^/s/([^/]+) {{ return 302 {X}/$1; }}",
      ["/s/a", "/s/a/b", "/s/"])
nginx("suffix", f"location ~ ^/u/([^/]+)\\.html$ {{ return 302 {X}/$1; }}",
      ["/u/a.html", "/u/a/b.html", "/u/a"])

nginx("rewrite-in-location", f"""
location = /only {{ rewrite ^ {X}/only permanent; }}
location = /all {{ rewrite ^(.*)$ {X}$1 permanent; }}
location /b {{ rewrite ^(.*)$ {X}/r$1 permanent; }}
location /i/ {{ rewrite .* {X}/i? permanent; }}
location /p/ {{ rewrite ^/(.*)$ {X}/$1 redirect; }}
location ~ ^/re/ {{ rewrite ^/re/(.*)$ {X}/$1 redirect; }}
location /s/ {{ rewrite ^/s/a$ {X}/s-a redirect; }}
""", ["/only", "/all?x=1", "/b", "/bc/d?y=1", "/i/x?y=1", "/p/x/y", "/re/a/b", "/s/a", "/s/b",
      "/other", "/z/zz"])
nginx("rewrite-that-crosses", f"""
location /z {{ rewrite /zz {X}/zz permanent; }}
location /q/ {{ rewrite /x$ {X}/x permanent; return 302 {X}/q; }}
location /t/ {{ rewrite ^/u {X}/u permanent; return 302 {X}/t; }}
location /v/ {{ rewrite ^/v/a$ {X}/va permanent; return 302 {X}/v; }}
location / {{ return 302 {X}/rest; }}
""", ["/u", "/t/x", "/v/a", "/v/b", "/other", "/q/y"],
      lost=["rewrite /zz", "rewrite /x$"])
nginx("rewrite-beside-handler", f"""
location /a/ {{ rewrite ^/a/old$ {X}/new permanent; proxy_pass http://127.0.0.1:9; }}
location = /b {{ return 302 {X}/b; }}
""", ["/a/old", "/b"], lost=["location /a/"])
nginx("expression-before-prefix", f"""
location /api/ {{ root /nowhere; }}
location ~ ^/api/old {{ return 301 {X}/old; }}
location ^~ /api/first/ {{ return 302 {X}/first; }}
location /api/first/not/ {{ root /nowhere; }}
location ~ /new$ {{ return 302 {X}/new; }}
""", ["/api/old", "/api/old/x", "/api/first/x", "/api/first/new", "/api/first/not/new", "/api/x",
      "/new"], lost=["location /api/\"", "location /api/first/not/"])
nginx("expression-of-file", f"""
location ^~ /img/ {{ root /nowhere; }}
location ~ \\.php$ {{ root /nowhere; }}
location ~ ^/a/ {{ return 302 {X}/a; }}
location / {{ return 302 {X}/rest; }}
""", ["/img/a/b", "/a/b", "/a/b.php", "/x.php", "/x"], lost=["location ^~ /img/", "location ~ "])
nginx("fallback-location", f"""
location = /a {{ return 302 {X}/a; }}
location = /gone {{ return 410; }}
location = /none {{ return 404; }}
error_page 404 = @fallback;
location @fallback {{ return 301 {X}/all$request_uri; }}
""", ["/a", "/gone", "/none", "/x/y?z=1"])
nginx("fallback-url", f"location = /a {{ return 302 {X}/a; }}\nerror_page 404 {X}/none;",
      ["/a", "/b"])
nginx("fallback-handler", f"""
location = /a {{ return 302 {X}/a; }}
error_page 404 = @app;
location @app {{ proxy_pass http://127.0.0.1:9; }}
""", ["/a"], lost=["error_page 404"])
nginx("fallback-other", f"""
location /a {{ error_page 404 {X}/a404; }}
error_page 403 {X}/403;
error_page 404 =200 /index.html;
""", ["/x"], pages={"index.html": "x"},
      lost=["error_page 404 https", "error_page 403", "location /a"])
nginx("fallback-of-several", f"""
server {{ listen 80; server_name a.example b.example;
  error_page 404 https://$host/start;
  location = /start {{ return 302 {X}/start; }}
  location = /old {{ return 301 {X}/; }} }}
""", ["a.example/old", "b.example/start", "a.example/no", "b.example/no", "b.example/no?a=1"], hosts=[])
nginx("fallback-left-out", f"""
server {{ listen 80; server_name a.example; location = /a {{ return 301 {X}/a; }} }}
server {{ listen 80; server_name b.example; error_page 404 {X}/missing; }}
""", ["a.example/a"], hosts=["a.example"], lost=["error_page 404"])
nginx("query-in-query", f"""
location /k/ {{ return 301 {X}/k?from=$host&u=$request_uri; }}
location /l/ {{ return 301 {X}/l?u=$uri; }}
location = /m {{ return 301 {X}/m?a=1$is_args$args; }}
""", ["/l/x", "/l/x?a=1"], lost=["return 301 https://x.example/k", "return 301 https://x.example/m"])
nginx("host-of-several", f"""
server {{ listen 80; server_name a.example www.a.example;
  location = /h {{ return 302 https://$host/hh; }}
  location = /q {{ return 302 {X}/?from=$host; }}
  location = /z {{ return 302 {X}/z; }} }}
""", ["a.example/h", "www.a.example/h", "a.example/z", "www.a.example/z"], hosts=[],
      lost=["?from=$host"])
nginx("other-host", "location = /e { return 302 https://$host/f; }", ["/e"],
      hosts=["new.example.com"])

nginx("whole-path", f"""
location ~ ^(.*)\\.htm$ {{ return 301 {X}$1.html; }}
location ~ ^(?<base>.+)/print$ {{ return 302 {X}$base; }}
location ~ ^(.*)/index\\.php$ {{ return 302 {X}/i$1; }}
location ~ ^.*\\.gif$ {{ return 302 {X}/gif; }}
location ~ ^(.*)/b/c$ {{ return 302 {X}/c$1/d; }}
""", ["/x/a.htm", "/a.htm", "/x/y/print", "/print", "/index.php", "/a/index.php", "/a/b.gif", "/b.gif",
      "/a/b/c", "/b/c", "/a/x"])
nginx("whole-path-rewrite", f"""
rewrite ^(.*)\\.htm$ {X}$1.html permanent;
rewrite ^((.+)/z)$ {X}$1/$2 redirect;
""", ["/x/a.htm", "/a.htm", "/x/z", "/z", "/x/y/z"])
nginx("shortest", f"""
rewrite ^/b/(.+?)/?$ {X}/b/$1 redirect;
rewrite ^/d/(.*?)/?$ {X}/d/$1 redirect;
rewrite ^/e/(.*?)/f$ {X}/e/$1 redirect;
rewrite ^/g/(.*)/?$ {X}/g/$1 redirect;
""", ["/b/a", "/b/a/", "/b/a/c/", "/b/", "/d/a/", "/d/", "/d/a/b", "/e/a/f", "/g/a/", "/g/a"])
nginx("never", f"""
rewrite ^/a//(.*)$ {X}/never/$1 permanent;
location ~ ^//x {{ return 302 {X}/never; }}
rewrite ^/q/(.*)\\?$ {X}/mark/$1 redirect;
location = /z {{ return 302 {X}/z; }}
""", ["/a", "/a/x", "/x", "/q/x", "/q/x%3F", "/z"])

# --- Apache ---------------------------------------------------------------------------------------

htaccess("escapes", f"""
RewriteEngine On
RewriteRule ^s\\ t$ {X}/s [R,L]
RewriteRule "^u v$" {X}/u\\ v [R,L]
RewriteRule ^x\\%3Ay$ {X}/x [R,L]
RewriteRule ^p$ {X}/a%20b [R,L]
RewriteRule ^q$ {X}/a\\%20b [R,L,NE]
RewriteRule ^r$ {X}/a%20b%2Fc [R,L,NE]
""", ["/s%20t", "/u%20v", "/x%3Ay", "/x%253Ay", "/p", "/q", "/r"],
         lost=["needs a path with %253A"], differs={"/x%253Ay": "An escaped escape"})
htaccess("empty-parts", f"""
RewriteEngine On
RewriteRule ^a/([^/]*)$ {X}/a$1- [R,L]
RewriteRule ^b/([a-z]*)$ {X}/b$1- [R,L]
RewriteRule ^e-(.+)\\.html$ {X}/e$1- [R,L]
RewriteRule ^c(/.*)?$ {X}/cc$1 [R,L]
RedirectMatch ^/g/([^/]*)$ {X}/g$1-
RedirectMatch ^/h%20(i)$ {X}/$1
Redirect /j%20k {X}/j
""", ["/a/", "/a/x", "/a/x/y", "/b/", "/b/x", "/e-.html", "/e-a.html", "/c", "/c/x", "/cx", "/g/",
      "/g/x", "/h%20i", "/j%20k"], lost=["for /c/ the destination has no slash", "RedirectMatch ^/h%20(i)$", "Redirect /j%20k"])
htaccess("redirect", f"Redirect 301 /a {X}/b\nRedirect /c /d\nRedirect gone /e\n"
         f"RedirectPermanent /f {X}/f\nRedirectTemp /g {X}/g\nRedirect seeother /h {X}/h",
         ["/a", "/a/x?y=1", "/ab", "/c", "/c/x", "/e", "/f", "/g", "/h"],
         differs={"/h": "303 and 300"})
htaccess("redirect-order", f"Redirect 302 /a/b {X}/1\nRedirect 302 /a {X}/2",
         ["/a/b", "/a/b/c", "/a/c", "/a"])
htaccess("redirect-root", f"Redirect 301 / {X}/", ["/", "/x", "/x/y?z=1"])
htaccess("redirect-match", f"RedirectMatch ^/i/(.*)\\.gif$ {X}/$1.jpg\n"
         f"RedirectMatch 301 ^/r/([^/]+)/([^/]+)$ {X}/$2/$1\nRedirectMatch 404 /secret",
         ["/i/a.gif", "/i/a/b.gif", "/r/a/b", "/r/a", "/r/a/b/c", "/x/secret.txt", "/y"])
htaccess("rewrite", f"RewriteEngine On\nRewriteRule ^a$ {X}/a [R=301,L]\n"
         f"RewriteRule ^b/(.*)$ {X}/$1 [R,L]\nRewriteRule ^c$ d [R=302,L]\n"
         f"RewriteRule ^e/([0-9]+)/?$ {X}/e?id=$1 [R=301,L]\n"
         f"RewriteRule ^f$ {X}/f? [R=301,L]\nRewriteRule ^g$ - [G]\nRewriteRule ^h$ - [F]\n"
         f"RewriteRule ^j$ {X}/j?a=1 [R=302,L,QSA]\nRewriteRule ^k$ {X}/k [R=302,QSD]\n"
         f"RewriteRule ^l$ {X}/l#top [R=302,NE,L]",
         ["/a", "/a?x=1", "/b/x/y", "/c", "/e/7", "/e/7/", "/e/7/8", "/f?x=1", "/g", "/h",
          "/j?b=2", "/k?b=2", "/l"],
         differs={"/h": "404 instead of 403", "/c": "Without `RewriteBase`"})
htaccess("unanchored-all", f"RewriteEngine On\nRewriteRule (.*) {X}/$1 [R=301,L]",
         ["/", "/a", "/a/b?c=d"])
htaccess("all-with-slash", f"RewriteEngine On\nRewriteRule ^(.*)$ {X}/$1 [R=301,L]",
         ["/", "/a", "/a/b?c=d", "/a/"])
htaccess("empty-expression", f"RewriteEngine On\nRewriteRule ^ {X}/moved [R=301,L]",
         ["/", "/a/b"])
htaccess("add-slash", "RewriteEngine On\nRewriteRule ^x$ /x/ [R=301,L]\n"
         f"RewriteRule ^y$ {X}/y [R=301,L]", ["/y"], lost=["RewriteRule ^x$ /x/"])
htaccess("base", "RewriteEngine On\nRewriteBase /\nRewriteRule ^old/(.*)$ new/$1 [R=301,L]",
         ["/old/a", "/old/a/b"])
htaccess("other-base", {
    ".htaccess": "RewriteEngine On\nRewriteBase /shop/\nRewriteRule ^a$ b [R=301,L]\n",
    "sub/.htaccess": "RewriteRule ^a$ b [R=301,L]\nRewriteRule ^x/(.*)$ $1 [R=301,L]\n"
                     "RewriteRule ^y$ /z [R=301,L]\nRewriteEngine On\nRewriteBase /other\n"},
    ["/a", "/sub/a", "/sub/x/y", "/sub/y"], pages={"sub/x.html": "x"})
htaccess("base-without-slash", {
    ".htaccess": f"Redirect 301 /b {X}/b\n",
    "sub/.htaccess": f"RewriteEngine On\nRewriteRule ^a$ /b [R=301,L]\nRewriteBase sub/\n"
                     f"Redirect 301 /sub/c {X}/c\n"},
    ["/b", "/sub/a", "/sub/c"], pages={"sub/x.html": "x"},
    lost=["RewriteRule ^a$ /b", "Redirect 301 /sub/c"],
    differs={"/sub/a": "An invalid `RewriteBase`", "/sub/c": "An invalid `RewriteBase`"})
htaccess("base-with-variables", "RewriteEngine On\nRewriteBase /x$1/%1/\n"
         "RewriteRule ^old/(.*)$ new/$1 [R=301,L]\nRewriteRule ^(b)$ /c/$1 [R=301,L]",
         ["/b"], lost=["RewriteBase /x$1/%1/ has a $"])
htaccess("engine", {
    ".htaccess": f"RewriteRule ^a$ {X}/a [R=301,L]\nRedirect 301 /b {X}/b\n",
    "sub/.htaccess": f"RewriteRule ^a$ {X}/a [R=301,L]\n"},
    ["/a", "/b", "/sub/a"], pages={"sub/x.html": "x"},
    lost=["RewriteEngine On here", "RewriteEngine On here; write it"])
htaccess("engine-without-rules", {
    ".htaccess": f"RewriteEngine On\nRewriteRule ^([^/]+)/a$ {X}/a [R=301,L]\n",
    "sub/.htaccess": "RewriteEngine On\n", "off/.htaccess": "RewriteEngine Off\n",
    "all/.htaccess": f"Redirect 301 /all/b {X}/b\n"},
    ["/sub/a", "/off/a", "/all/a", "/all/b"],
    pages={"sub/x.html": "x", "off/x.html": "x", "all/x.html": "x"})
apache("engine-of-server", f"""RewriteEngine On
<VirtualHost *:80>
ServerName a.example
RewriteRule ^/x$ {X}/a [R=301,L]
</VirtualHost>
<VirtualHost *:80>
ServerName b.example
RewriteRule ^/x$ {X}/b [R=301,L]
RewriteEngine Off
</VirtualHost>""", ["a.example/x"], hosts=[], lost=["RewriteEngine is off"])
htaccess("in-directory", {
    "shop/.htaccess": f"RewriteEngine On\nRewriteRule ^a$ {X}/shop-a [R=301,L]\n"
                      "RewriteRule ^b$ c [R=302,L]\nRedirect 301 /shop/d /e",
    ".htaccess": f"Redirect 302 /a {X}/a"},
    ["/a", "/shop/a", "/shop/b", "/shop/d"], pages={"shop/x.txt": "x"},
    differs={"/shop/b": "Without `RewriteBase`"})
htaccess("conditions", "RewriteEngine On\nRewriteCond %{HTTP_USER_AGENT} bot\n"
         f"RewriteRule ^a$ {X}/bot [R,L]\nRewriteRule ^b$ {X}/b [R,L]",
         ["/b"], lost=["RewriteRule ^a$"])
htaccess("https-condition", "RewriteEngine On\nRewriteCond %{HTTPS} off\n"
         "RewriteRule ^(.*)$ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]\n"
         f"RewriteRule ^b$ {X}/b [R,L]", [])
htaccess("escapes", f"RewriteEngine On\nRewriteRule ^a$ {X}/x\\%3Ay [R=302,L,NE]\n"
         f"RewriteRule ^b$ {X}/p\\$q [R=302,L]\nRewriteRule ^c\\.html$ {X}/c [R=302,L]",
         ["/a", "/b", "/c.html", "/cxhtml"])
htaccess("case", f"RewriteEngine On\nRewriteRule ^Shop/(a|b)$ {X}/$1 [R=302,NC,L]",
         ["/Shop/a", "/sHOP/b", "/Shop/c"])
htaccess("chain", f"RewriteEngine On\nRewriteRule ^a - [C]\nRewriteRule ^ab$ {X}/ab [R,L]\n"
         f"RewriteRule ^c$ {X}/c [R,L]", ["/c"], lost=["RewriteRule ^a - [C]", "RewriteRule ^ab$"])
htaccess("comment-nginx", f"# server {{ location / }}\nRedirect 302 /a {X}/a;b", ["/a"])
htaccess("page", "ErrorDocument 404 /404.html\nRedirect 302 /a /b", ["/a", "/x"],
         pages={"404.html": "x"})
htaccess("off", f"RewriteEngine Off\nRewriteRule ^a$ {X}/a [R,L]\nRedirect 302 /b {X}/b",
         ["/a", "/b"], lost=["RewriteRule ^a$"])
htaccess("canonical-host", f"""RewriteEngine On
RewriteCond %{{HTTP_HOST}} ^www\\.h5\\.example\\.com$ [NC]
RewriteRule ^(.*)$ https://h5.example.com/$1 [R=301,L]
RewriteRule ^app/(.*)$ {X}/app/$1 [R=302,L]
Redirect 301 /one {X}/one""",
         ["www.h5.example.com/app/x", "h5.example.com/app/x", "h5.example.com/one",
          "www.h5.example.com/one", "h5.example.com/other"], hosts=[])
htaccess("other-canonical-host", f"""RewriteEngine On
RewriteCond %{{HTTP_HOST}} !^www\\.example\\.com$ [NC]
RewriteRule ^(.*)$ https://www.example.com/$1 [R=301,L]
RewriteRule ^app/(.*)$ {X}/app/$1 [R=302,L]""",
         ["www.example.com/app/x"], hosts=[], lost=["RewriteRule ^(.*)$"])
htaccess("https-or-host", f"""RewriteEngine On
RewriteCond %{{HTTPS}} off [OR]
RewriteCond %{{HTTP_HOST}} ^www\\.a\\.example$ [NC]
RewriteRule ^(.*)$ https://a.example/$1 [R=301,L]
RewriteCond %{{HTTP_HOST}} ^www\\.a\\.example$ [OR]
RewriteCond %{{HTTP_HOST}} =a.example
RewriteRule ^x$ {X}/x [R=302,L]""",
         ["www.a.example/b"], hosts=[])
htaccess("hosts-that-exclude-each-other", f"""RewriteEngine On
RewriteCond %{{HTTP_HOST}} ^a\\.example$
RewriteCond %{{HTTP_HOST}} ^b\\.example$
RewriteRule ^x$ {X}/never [R=302,L]
RewriteCond %{{HTTP_HOST}} ^a\\.example$
RewriteRule ^y$ {X}/y [R=302,L]""", ["a.example/x", "a.example/y"], hosts=[])
htaccess("document-elsewhere", f"ErrorDocument 404 {X}/none\nRedirect 302 /a {X}/a\n"
         f"RedirectMatch 404 ^/hidden\nRedirect gone /gone",
         ["/a", "/b", "/hidden", "/gone"])
htaccess("document-text", f"ErrorDocument 404 \"Nothing here\"\nErrorDocument 403 {X}/403\n"
         f"Redirect 302 /a {X}/a", ["/a"], lost=["ErrorDocument 404", "ErrorDocument 403"])
htaccess("goes-on", f"""RewriteEngine On
RewriteRule ^a$ {X}/a [R=302]
RewriteRule ^b$ {X}/b [R=302,L]
RewriteRule ^c$ {X}/c
RewriteRule example/(.*)$ {X}/never/$1 [R=302,L]""", ["/b"],
         lost=["RewriteRule ^a$", "RewriteRule ^c$"])
htaccess("stops", f"""RewriteEngine On
RewriteRule ^keep/ - [L]
RewriteRule ^keep/a$ {X}/never [R=302,L]
RewriteRule ^b$ - [S=1]
RewriteRule ^b$ {X}/never [R=302,L]
RewriteRule ^c$ {X}/c [R=302,L]""", ["/keep/a", "/c"],
         lost=["RewriteRule ^b$ - [S=1]", "RewriteRule ^b$ https",
               "/keep/a is answered by no link"])
htaccess("words", f"""RewriteEngine On
RewriteRule "^q a$" "{X}/q" [R=302,L]
RewriteRule ^d\\\\.html$ {X}/d [R=302,L]
RewriteRule "^e\\\\.html$" {X}/e [R=302,L]
RewriteRule ^f"a$ {X}/f [R=302,L]
Redirect 302 "/s p" {X}/sp""", ["/q%20a", "/d.html", "/dxhtml", "/e.html", "/exhtml", "/s%20p"])
apache("virtual-hosts", f"""
Redirect 302 /all {X}/all
<VirtualHost *:80>
  ServerName a.example
  ServerAlias www.a.example
  Redirect 301 / https://b.example/
</VirtualHost>
<VirtualHost *:80>
  ServerName b.example
  Redirect 302 /x {X}/b
</VirtualHost>
""", ["a.example/p?q=1", "www.a.example/all", "b.example/x", "b.example/y", "b.example/all"],
       hosts=[])
apache("server-rewrite", f"RewriteEngine On\nRewriteRule ^/a$ {X}/a [R=301,L]\n"
       f"RewriteRule ^/b/(.*) {X}/b/$1 [R=302,L]\nRewriteRule ^/r/([^/]+)/([^/]+)$ {X}/$2 [R=301]",
       ["/a", "/b/x/y", "/r/a/b", "/r/a"])
apache("location", f"<Location /x>\nRedirect 302 /x {X}/x\n</Location>\nRedirect 302 /c {X}/c",
       ["/c"], lost=["Redirect 302 /x"])
apache("order", f"Redirect 302 /a {X}/alias\nRewriteEngine On\nRewriteRule ^/a$ {X}/rule [R=302,L]",
       ["/a", "/a/b"])
htaccess("whole-path", f'RedirectMatch 301 "(.*)\\.gif$" "{X}$1.jpg"\n'
         f"RedirectMatch ^(.*)/print$ {X}$1\nRedirectMatch ^(.+)/end$ {X}/e$1",
         ["/i/a.gif", "/a.gif", "/a/print", "/a/end", "/end", "/i/a.gi"])
htaccess("shortest", f"""RewriteEngine On
RewriteRule ^b/(.+?)/?$ {X}/$1 [R=302,L]
RewriteRule ^d/(.*?)/?$ {X}/d/$1 [R=302,L]
RewriteRule ^c/([^/]+)/?$ {X}/c/$1 [R=302,L]
RedirectMatch ^/e/(.+?)/?$ {X}/e/$1""",
         ["/b/a", "/b/a/", "/b/a/c/", "/d/", "/d/a/", "/c/a/", "/e/a/", "/e/a/b"])
htaccess("never", f"""RewriteEngine On
RewriteRule ^/lead$ {X}/never [R=301,L]
RewriteRule ^/?both$ {X}/both [R=301,L]
RewriteRule ^a//(.*)$ {X}/never/$1 [R=301,L]
RewriteRule ^q/(.*)\\?$ {X}/mark/$1 [R=301,L]""",
         ["/lead", "/leadx", "/both", "/a", "/a/x", "/q/x"])
htaccess("modules", f"""<IfModule mod_rewrite.c>
RewriteEngine On
RewriteRule ^a$ {X}/a [R=301,L]
</IfModule>
<IfModule !mod_rewrite.c>
<IfModule mod_alias.c>
RedirectMatch 307 ^/$ /index.php/
</IfModule>
RewriteEngine Off
</IfModule>
<IfModule mod_nonexistent.c>
RewriteCond %{{HTTPS}} off
RewriteRule ^c$ {X}/never [R=301,L]
</IfModule>
<IfDefine Nothing>
Redirect 302 /d {X}/never
</IfDefine>
<IfModule alias_module>
Redirect 302 /e {X}/e
</IfModule>
RewriteRule ^f$ {X}/f [R=301,L]""", ["/a", "/x", "/e", "/f"],
         lost=["RewriteRule ^c$", "Redirect 302 /d"])
htaccess("fallback-resource", f"FallbackResource /index.html\nRedirect 301 /a {X}/b",
         ["/zzz", "/a", "/z/z"], pages={"index.html": "app"})
htaccess("inherit", {
    ".htaccess": f"RewriteEngine On\nRewriteRule ^a$ {X}/a [R=301,L]",
    "sub/.htaccess": "RewriteEngine On\nRewriteOptions Inherit\n"
                     f"RewriteRule ^x$ {X}/x [R=301,L]"},
    ["/a", "/sub/x"], pages={"sub/x.txt": "x"}, lost=["RewriteOptions Inherit"])
htaccess("dash", f"""RewriteEngine On
RewriteRule ^y$ - [R=301,L]
RewriteRule ^y$ {X}/never [R=301,L]
RewriteRule ^z$ - [R=302]
RewriteRule ^z$ {X}/z [R=302,L]
RewriteRule ^u$ - [R=404]
RewriteRule ^v$ - [R=410]""", ["/y", "/z", "/u", "/v", "/-"],
         lost=["/y is answered by no link"])
htaccess("continued", f"RewriteEngine On\nRewriteRule ^cont\\\ninued$ \\\n  {X}/c [R=301,L]",
         ["/continued", "/cont"])
case("htaccess-roots", "expected", {"httpdocs/.htaccess": f"""Redirect 301 /a {X}/a
RewriteEngine On
RewriteRule ^q$ {X}/q [R,L]"""}, {"/a": (301, f"{X}/a"), "/q": (302, f"{X}/q")}, **{"from": []})
case("htaccess-hosts", "expected", {
    "a.example/.htaccess": f"RewriteEngine On\nRewriteRule ^x$ {X}/a [R=301,L]",
    "b.example/htdocs/.htaccess": f"Redirect 301 /x {X}/b",
    "b.example/htdocs/y/.htaccess": f"RewriteEngine On\nRewriteRule ^z$ {X}/yz [R=301,L]"}, {
    "a.example/x": (301, f"{X}/a"), "b.example/x": (301, f"{X}/b"), "b.example/y/z": (301, f"{X}/yz"),
    "a.example/y/z": (404, None)},
     hosts=[], **{"from": []})
case("htaccess-elsewhere", "expected", {
    "other/.htaccess": f"Redirect 301 /a {X}/a\nRedirect 302 /other/b {X}/b"}, {
    "/other/b": (302, f"{X}/b")}, lost=["has none of its paths"], **{"from": []})
case("nginx-directory", "expected", {
    "nginx.conf": "http { include mime.types; include conf.d/*.conf; include /etc/nginx/sites-enabled/*; }",
    "sites-enabled/www.a.example":
        f"server {{ server_name www.a.example; location /a {{ return 301 {X}/a; }} }}",
    "sites-available/old.conf":
        f"server {{ server_name old.example; location /a {{ return 301 {X}/never; }} }}",
    "conf.d/b.conf":
        f"server {{ server_name b.example; location /b {{ return 301 {X}/b; }} }}"}, {
    "www.a.example/a": (301, f"{X}/a"), "b.example/b": (301, f"{X}/b")},
     hosts=[], **{"from": []})
case("nginx-includes", "expected", {
    "nginx.conf": f"http {{ include gone/*.conf; include sites/*; server {{ server_name b.example; "
                  f"location = /b {{ return 301 {X}/b; }} }} }}",
    "sites/a.conf": f"server {{ server_name a.example; location = /a {{ return 301 {X}/a; }} }}",
    "sites/www": f"server {{ server_name c.example; location = /c {{ return 301 {X}/c; }} }}"}, {
    "b.example/b": (301, f"{X}/b"), "a.example/a": (301, f"{X}/a")},
     hosts=[], lost=["include gone/*.conf", "include sites/*"], **{"from": []})
case("apache-includes", "expected", {"site.conf": f"""IncludeOptional mods-enabled/*.conf
IncludeOptional sites/*.conf
<VirtualHost *:443>
ServerName a.example
Include other.conf
Use Site x
Redirect 301 /a {X}/a
</VirtualHost>"""}, {"a.example/a": (301, f"{X}/a")}, hosts=[],
     lost=["IncludeOptional sites", "Include other.conf", "Use Site x"])

# --- Services that are described and not run ------------------------------------------------------

case("netlify-paths", "expected", {"_redirects": f"""
/a /b
/blog/:year/:slug {X}/:slug/:year 302
/blog/:slug {X}/:slug
/n/* /m/:splat 302
/* /index.html 200
"""}, {
    "/a": (301, "/b"), "/a/": (301, "/b"), "/blog/2020/x": (302, f"{X}/x/2020"),
    "/blog/x": (301, f"{X}/x"), "/n/x/y": (302, "/m/x/y"), "/other": (200, None),
}, pages={"index.html": "x"})
case("netlify-two", "expected", {"_redirects": f"/a/:x/:y {X}/:y/:x\n/docs /docs/ 301\n"}, {
    "/a/1/2": (301, f"{X}/2/1"), "/a/1": (404, None), "/a/1/2/3": (404, None),
}, lost=["/docs /docs/ 301"])
case("netlify-segment", "expected", {"_redirects": f"/:u/b/* {X}/:u/:splat\n/* {X}/rest"}, {
    "/a/b/c": (301, f"{X}/a/c"), "/a/x/b/c": (301, f"{X}/rest"), "/a/b/c/d": (301, f"{X}/a/c/d"),
    "/a/b/c/b/d": (301, f"{X}/a/c/b/d"),
}, lost=["the text behind star 1 is there again"],
     differs={"/a/b/c/b/d": "A text that is there twice"})
case("netlify-hosts", "expected", {"_redirects": f"""
https://a.example/* https://b.example/:splat 301!
https://b.example/x {X}/x 302
"""}, {
    "a.example/p": (301, "https://b.example/p"), "b.example/x": (302, f"{X}/x"),
    "b.example/p": (404, None),
}, hosts=[])
case("csv-slugs", "expected", {"links.csv": f"slug,destination\nab,{X}/ab\ncd,{X}/cd\n"}, {
    "/ab": (302, f"{X}/ab"), "/cd": (302, f"{X}/cd"), "/slug": (404, None)})
case("csv-slash-twins", "expected", {"links.csv": f"/a,{X}/a\n/a/,{X}/a\n"}, {
    "/a": (302, f"{X}/a"), "/a/": (302, f"{X}/a")})
case("csv-other-twins", "expected", {"links.csv": f"/a,{X}/a\n/a/,{X}/b\n"}, {
    "/a": (302, f"{X}/a")}, lost=["/a/,"])
case("csv-stars", "expected", {"links.csv":
     f"/s/*,{X}/s/*\n/t/*/u/*,{X}/*/*\n/v/*,{X}/{{1}}/*\n/w,{X}/*\n/y/*,{X}/*/*\n"}, {
    "/s/a": (302, f"{X}/s/a"), "/t/a/u/b": (302, f"{X}/a/b"), "/v/a": (302, f"{X}/a/*"),
    "/w": (302, f"{X}/*"), "/y/a": (404, None)}, lost=["/y/*,"])
case("caddy-name", "expected", {"Caddyfile.prod": f"www.example.com {{\n redir /z {X}/z\n}}\n",
                                ".htaccess": f"Redirect 301 /a {X}/a"}, {
    "/z": (302, f"{X}/z"), "/a": (301, f"{X}/a")}, **{"from": []})
case("caddy-whole-path", "expected", {"Caddyfile": f"""www.example.com {{
  @a path_regexp r ^(.*)\\.htm$
  redir @a {X}{{re.r.1}}.html 301
  @b path_regexp ^(.+)/print$
  redir @b {X}{{re.1}} 302
}}
"""}, {"/x/a.htm": (301, f"{X}/x/a.html"), "/a.htm": (301, f"{X}/a.html"), "/x/print": (302, f"{X}/x"),
       "/print": (404, None)})
case("firebase-globs", "expected", {"firebase.json": """{"hosting": {"redirects": [
  {"source": "**/*.old", "destination": "https://x.example/old"},
  {"source": "/f/**/bar", "destination": "https://x.example/bar"},
  {"regex": "(?P<p>.*)\\\\.htm", "destination": "https://x.example:p.html"},
  {"regex": "^(.*)/print$", "destination": "https://x.example:1", "type": 302}
]}}"""}, {
    "/a.old": (301, f"{X}/old"), "/x/a.old": (301, f"{X}/old"), "/x/y/z/a.old": (301, f"{X}/old"),
    "/f/bar": (301, f"{X}/bar"), "/f/a/b/bar": (301, f"{X}/bar"), "/fbar": (404, None),
    "/x/a.htm": (301, f"{X}/x/a.html"), "/a.htm": (301, f"{X}/a.html"), "/x/print": (302, f"{X}/x"),
})
case("csv-hosts", "expected", {"links.csv": f"https://a.example/x,{X}/a\nhttps://b.example/x,{X}/b\n"},
     {"a.example/x": (302, f"{X}/a"), "b.example/x": (302, f"{X}/b")}, hosts=[])
case("csv-empty-path", "expected", {"links.csv": f"from,to\n,{X}/e\n/a,{X}/a\n"}, {
    "/a": (302, f"{X}/a"), "/": (200, None)}, lost=[",https://x.example/e"])
case("root-redirect", "expected", {"links.csv": f"/,{X}/home\n/a,/b\n"}, {
    "/": (302, f"{X}/home"), "/a": (302, "/b")})
case("firebase-targets", "expected", {"firebase.json": """{"hosting": [
  {"target": "app", "redirects": [{"source": "/a", "destination": "/b", "type": 301}]},
  {"site": "one", "redirects": [{"source": "/a", "destination": "/c", "type": 301}]}
]}"""}, {"one.web.app/a": (301, "/c")}, hosts=[], lost=["firebase.json:2: "])
case("vercel-optional", "expected", {"vercel.json": """{"redirects": [
  {"source": "/h/:slug?", "destination": "https://x.example/h/:slug"},
  {"source": "/i/:a/:b*", "destination": "https://x.example/:b*?a=:a"},
  {"source": "/g", "has": [{"type": "query", "key": "u", "value": "(?<u>.*)"}],
   "destination": "https://x.example/g?v=:u"},
  {"source": "/j", "has": [{"type": "query", "key": "u", "value": "[0-9]+"}],
   "destination": "https://x.example/j"},
  {"source": "/k", "has": [{"type": "query", "key": "u"}], "destination": "https://x.example/:u"},
  {"source": "/l", "destination": "https://x.example/:none"},
  {"source": "/m/:u*/end", "destination": "https://x.example/m/:u*"}
]}"""}, {
    "/h": (308, f"{X}/h/"), "/h/a": (308, f"{X}/h/a"), "/h/a/b": (404, None),
    "/i/1": (308, f"{X}/?a=1"), "/i/1/2/3": (308, f"{X}/2/3?a=1"),
    "/g?u=7": (308, f"{X}/g?v=7"), "/g": (404, None), "/m/end": (308, f"{X}/m/"), "/m/a/b/end": (308, f"{X}/m/a/b"), "/k?u=7": (308, f"{X}/7?u=7"),
}, lost=["vercel.json:6: ", "vercel.json:9: "])
# The sources and destinations of Vercel's own test, packages/routing-utils/test/superstatic.spec, and their neighbours.
case("vercel-templates", "expected", {"vercel.json": r"""{"redirects": [
  {"source": "/next(\\.js)?", "destination": "https://x.example/next"},
  {"source": "/feature-{:slug}", "destination": "/blog-{:slug}"},
  {"source": "/hello/:world", "destination": "/somewhere?else={:world}"},
  {"source": "/optional/:id?", "destination": "/api/optional/:id?"},
  {"source": "/catchall/:hello*", "destination": "/catchall-to/:hello*/"},
  {"source": "/b/:l(en|es)?", "destination": "https://x.example/b?l=:l"},
  {"source": "/:l(en|es)?/about", "destination": "https://x.example/:l/a"},
  {"source": "/d{/:p}?", "destination": "/d-to{/:p}?"},
  {"source": "/s{-:p-x}?", "destination": "https://x.example/s"},
  {"source": "/f/:a-:b.html", "destination": "https://x.example/:b/:a"},
  {"source": "/o\\(x\\)", "destination": "https://x.example/o"},
  {"source": "/u/:id", "destination": "https://x.example/u?to=https://b.example/:id"},
  {"source": "/q/:p(\\d+)*", "destination": "https://x.example/q"},
  {"source": "/k/a?", "destination": "https://x.example/k"},
  {"source": "/v/:a", "destination": "https://x.example/{:a}y"},
  {"source": "/w/(.*)", "destination": "https://x.example/{$1}"}
]}"""}, {
    "/next": (308, f"{X}/next"), "/next.js": (308, f"{X}/next"), "/nextAjs": (404, None), "/nextjs": (404, None),
    "/feature-first": (308, "/blog-first"), "/feature/first": (404, None), "/feature-a/b": (404, None),
    "/hello/a": (308, "/somewhere?else=a"), "/hello/a/b": (404, None),
    "/optional/1?a=b": (308, "/api/optional/1?a=b"), "/optional?a=b": (308, "/api/optional/?a=b"),
    "/catchall/a/b": (308, "/catchall-to/a/b/"), "/b": (308, f"{X}/b?l="), "/b/en": (308, f"{X}/b?l=en"),
    "/b/de": (404, None), "/en/about": (308, f"{X}/en/a"), "/de/about": (404, None),
    "/d": (308, "/d-to/"), "/d/1": (308, "/d-to/1"), "/d1": (404, None), "/s": (308, f"{X}/s"),
    "/s-1-x": (308, f"{X}/s"), "/s-1": (404, None), "/f/1-2.html": (308, f"{X}/2/1"),
    "/f/1-2-3.html": (308, f"{X}/2-3/1"), "/o(x)": (308, f"{X}/o"), "/ox": (404, None),
    "/u/7": (308, f"{X}/u?to=https%3A%2F%2Fb.example%2F7"), "/q/1": (404, None), "/k/a": (404, None),
    "/v/1": (404, None), "/w/1": (404, None),
}, lost=[f"vercel.json:{line}: " for line in (11, 14, 15, 16, 17)])
case("netlify-syntax", "expected", {"_redirects": f"""
/a* {X}/a
/:b.html {X}/b
/c?d=1 {X}/c
/e/:f {X}/$f/:f
"""}, {"/a": (404, None), "/ab": (404, None), "/x.html": (404, None), "/e/1": (301, f"{X}/$f/1")},
     lost=[f"_redirects:{line}: " for line in (2, 3, 4)])
case("firebase-syntax", "expected", {"firebase.json": r"""{"hosting": {"redirects": [
  {"source": "/@(a.b|c)", "destination": "https://x.example/1"},
  {"source": "/{d}", "destination": "https://x.example/2"},
  {"source": "/e{1..3}", "destination": "https://x.example/3"},
  {"source": "/f/:g", "destination": "https://x.example/:g?h=1"}
]}}"""}, {"/a.b": (301, f"{X}/1"), "/aXb": (404, None), "/c": (301, f"{X}/1"), "/d": (404, None), "/e1": (404, None)},
     lost=[f"firebase.json:{line}: " for line in (3, 4, 5)])
case("vercel-root", "expected", {"vercel.json": """{"redirects": [
  {"source": "/:u?", "destination": "https://x.example/u/:u"}
], "routes": []}"""}, {
    "/": (308, f"{X}/u/"), "/a": (308, f"{X}/u/a"), "/a/b": (404, None)})
case("vercel-hosts", "expected", {"vercel.json": """{"redirects": [
  {"source": "/(.*)", "has": [{"type": "host", "value": "www.a.example"}],
   "destination": "https://a.example/$1"},
  {"source": "/x", "destination": "https://x.example/x"}
]}"""}, {
    "www.a.example/p": (308, "https://a.example/p"), "a.example/x": (308, f"{X}/x"),
    "a.example/y": (404, None), "www.a.example/x": (308, "https://a.example/x"),
}, hosts=[])
case("vercel", "expected", {"vercel.json": """{"redirects": [
  {"source": "/a", "destination": "/b", "permanent": true},
  {"source": "/c/:x/:y", "destination": "https://x.example/:y/:x", "permanent": false},
  {"source": "/d/:path*", "destination": "https://x.example/:path*", "statusCode": 301},
  {"source": "/e/(.*)", "destination": "https://x.example/$1"},
  {"source": "/f/:id(\\\\d+)", "destination": "https://x.example/f?id=:id"},
  {"source": "/g", "has": [{"type": "query", "key": "p", "value": "1"}], "destination": "/h"},
  {"source": "/i", "has": [{"type": "cookie", "key": "p"}], "destination": "/h"}
], "cleanUrls": true}"""}, {
    "/a": (308, "/b"), "/c/1/2": (307, f"{X}/2/1"), "/c/1": (404, None),
    "/d/x/y": (301, f"{X}/x/y"), "/d": (301, f"{X}/"), "/e/x/y": (308, f"{X}/x/y"),
    "/f/7": (308, f"{X}/f?id=7"), "/g": (404, None), "/i": (404, None),
}, lost=["type cookie", "cleanUrls"])
case("firebase", "expected", {"firebase.json": """{"hosting": {"public": "public",
  "redirects": [
    {"source": "/a", "destination": "/b", "type": 301},
    {"source": "/c/**", "destination": "https://x.example/", "type": 302},
    {"source": "/blog/:slug*", "destination": "https://x.example/:slug"},
    {"source": "/u/:id/p", "destination": "https://x.example/:id"},
    {"source": "/foo{,/**}", "destination": "/bar"},
    {"regex": "/r/([^/]+)/([^/]+)", "destination": "https://x.example/:2/:1"}
  ],
  "rewrites": [{"source": "**", "destination": "/index.html"}]}}"""}, {
    "/a": (301, "/b"), "/c/x/y": (302, f"{X}/"), "/blog/x/y": (301, f"{X}/x/y"),
    "/u/7/p": (301, f"{X}/7"), "/foo": (301, "/bar"), "/foo/x/y": (301, "/bar"),
    "/r/1/2": (301, f"{X}/2/1"), "/other": (200, None),
}, pages={"index.html": "x"})
case("caddy", "expected", {"Caddyfile": """{
  email ops@example.com
}
a.example, www.a.example {
  redir https://b.example{uri} permanent
}
b.example {
  redir /x https://x.example/x
  redir /long/* https://x.example/long 308
  redir /long/er https://x.example/longer 307
  @old path /o1 /o2
  redir @old /new 301
  @re path_regexp page ^/p/([^/]+)/([^/]+)$
  redir @re https://x.example/{re.page.2}/{re.page.1}
  handle /h/* {
    redir https://x.example/h
  }
  file_server
}
"""}, {
    "a.example/p?q=1": (301, "https://b.example/p?q=1"), "b.example/x": (302, f"{X}/x"),
    "b.example/long/z": (308, f"{X}/long"), "b.example/long/er": (307, f"{X}/longer"),
    "b.example/o2": (301, "/new"), "b.example/p/1/2": (302, f"{X}/2/1"),
    "b.example/h/x": (302, f"{X}/h"), "b.example/y": (404, None),
}, hosts=[], lost=["file_server"])
case("caddy-words", "expected", {"Caddyfile": """(snippet) {
  redir /s https://x.example/s
}
a.example, www.a.example {
  import snippet
  redir /old/* https://x.example/new{path}
  redir /h https://{host}/hh
  redir /html https://x.example/html html
  redir "/q a" "https://x.example/q?a=\\"b\\"" # comment
}
"""}, {
    "a.example/old/x": (302, f"{X}/new/old/x"), "a.example/h": (302, "/hh"),
    "www.a.example/h": (302, "/hh"), "a.example/html": (404, None),
    "a.example/s": (302, f"{X}/s"), "a.example/q%20a": (302, f"{X}/q?a=%22b%22"),
}, hosts=[], lost=["html html"])
case("caddy-globs", "caddy", {"Caddyfile": """a.example {
  redir /ends*.html https://x.example/1
  redir /a*b https://x.example/2
  redir /one/*/two https://x.example/3
  redir /x? https://x.example/4
  redir /pre* https://x.example/5
  @end path *.php
  redir @end https://x.example/6
  @mid path *mid*
  redir @mid https://x.example/7
  redir /e%20* https://x.example/8
  @two path /t/*/u /v
  redir @two https://x.example/9
  @c path /q[0-9]z
  redir @c https://x.example/10
}
"""}, {
    "a.example/ends.html": (302, f"{X}/1"), "a.example/endsx.html": (302, f"{X}/1"),
    "a.example/ends/x.html": (404, None), "a.example/ENDSX.html": (302, f"{X}/1"),
    "a.example/ab": (302, f"{X}/2"), "a.example/axb": (302, f"{X}/2"), "a.example/a/b": (404, None),
    "a.example/one/a/two": (302, f"{X}/3"), "a.example/one/a/b/two": (404, None),
    "a.example/one/two": (404, None), "a.example/xa": (302, f"{X}/4"), "a.example/xab": (404, None),
    "a.example/x": (404, None), "a.example/pre/x/y": (302, f"{X}/5"), "a.example/prefix": (302, f"{X}/5"),
    "a.example/x/y.php": (302, f"{X}/6"), "a.example/x/amidb/y": (302, f"{X}/7"),
    "a.example/e%20f": (302, f"{X}/8"), "a.example/e%20f/g": (404, None),
    "a.example/t/a/u": (302, f"{X}/9"), "a.example/t/a/b/u": (404, None), "a.example/v": (302, f"{X}/9"),
    "a.example/q7z": (302, f"{X}/10"), "a.example/q77z": (404, None),
}, hosts=[])
case("caddy-nested", "caddy", {"Caddyfile": """a.example, b.example {
  @re path_regexp ^/p/(.+)$
  handle @re {
    redir /p/x https://x.example/no
  }
  @host host b.example
  handle @host {
    redir /h https://x.example/b
  }
}
"""}, {"b.example/h": (302, f"{X}/b")},
     hosts=[], lost=["its matcher has no equal", "blocks behind it get what it takes"])
case("caddy-top-import", "expected", {"Caddyfile": """import sites/*
a.example,
b.example {
  redir /x https://x.example/x
}
c.example {
  redir /x https://x.example/c
}
"""}, {"a.example/x": (302, f"{X}/x"), "b.example/x": (302, f"{X}/x"), "c.example/x": (302, f"{X}/c"),
       "a.example/y": (404, None)}, hosts=[], lost=["import sites"])
