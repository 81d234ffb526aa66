"""Random configurations of nginx, Apache and Caddy for `check-migration --random`.

A configuration is a list of lines. Each line has the text that `init --from` reads, and another one
that takes its place in the server's own file once `init` has said that it is not translated: it then
leads to LOST, so that a request that gets there is one for which something was said. Destinations
name their line, so that an answer says which line gave it.
"""

LOST = "https://lost.example/"
SEGMENTS = ["a", "b", "ab", "c", "x1", "7", "a.html", "b.php"]
STATUSES = [301, 302, 307, 308]


class Text:
    """The lines of a file."""

    def __init__(self, first=0):
        self.first = first
        self.lines = []

    def add(self, text, lost=None, opener=None):
        """`opener` is the number of another line whose loss changes this one, too."""
        self.lines.append((text, lost, opener))
        return len(self.lines)

    @property
    def next(self):
        """What the next line is called in its destination."""
        return self.first + len(self.lines) + 1

    def original(self):
        return "\n".join(text for text, _, _ in self.lines) + "\n"

    def marked(self, lost):
        """With the replacements of lines that were said to be lost."""
        return "\n".join(
            other if other is not None and (opener or number) in lost else text
            for number, (text, other, opener) in enumerate(self.lines, 1)) + "\n"


def path(random, most=3):
    return "/" + "/".join(random.choice(SEGMENTS) for _ in range(random.randint(1, most)))


def request(random):
    tail = random.choice(["", "", "", "/", "?q=1", "?q=1&id=2"])
    return random.choice([path(random, 4) + tail] * 9 + ["/"])


def escape(text):
    return text.replace(".", "\\.")


# Regular expressions for paths, with the number of their groups. `START` is the anchor and what a path
# begins with there, `ONE` and `TWO` are segments.
EXPRESSIONS = [
    [("STARTONE$", 0)],
    [("STARTONE/(.*)$", 1)],
    [("STARTONE/([^/]+)$", 1)],
    [("START([^/]+)/([^/]+)$", 2)],
    [("START(ONE|TWO)/(.*)$", 2)],
    [("\\.html$", 0), ("\\.php$", 0)],
    [("STARTONE", 0)],
    [("LEADINGONE(.*)", 1)],
    [("STARTONE/?$", 0)],
    [("^", 0), (".*", 0), ("^(.*)$", 1), ("START(.*)$", 1), ("(.*)", 1)],
    [("STARTONE/([^/]+)/(.*)$", 2)],
    [("START(.*)/ONE$", 1)],
    [("STARTONE(/.*)?$", 1)],
    [("STARTONE/(?:TWO/)?([^/]+)$", 1)],
    [("STARTONE/([^/]*)$", 1), ("STARTONE([^/]*)$", 1), ("START([^/]*)/TWO$", 1)],
    [("STARTONE(.+)TWO$", 1), ("STARTONE([^/]+)TWO$", 1), ("STARTONE(.+)$", 1)],
    [("STARTONE([^/]+)", 1), ("STARTONE(.+)", 1), ("STARTONE/(?:([^/]*)/TWO)?$", 1)],
    [("STARTONE/([^/]+)/(.+)$", 2), ("STARTONE([^/]+)/(.*)$", 2), ("START([^/]+)/TWO([^/]+)$", 2)],
    [("STARTONE(/[^/]*)?$", 1), ("STARTONE(?:/(.*))?$", 1), ("STARTONE(/TWO)?$", 1)],
]


def expression(random, leading="/"):
    """A regular expression for paths, and the number of its groups."""
    forms = EXPRESSIONS[random.randrange(len(EXPRESSIONS))]
    one, two = random.choice(SEGMENTS), random.choice(SEGMENTS)
    form, groups = random.choice(forms) if len(forms) > 1 else forms[0]
    for word, text in (("START", "^" + leading), ("LEADING", leading), ("ONE", escape(one)),
                       ("TWO", escape(two))):
        form = form.replace(word, text)
    return form, groups


def destination(random, line, groups, own=True):
    """A destination that names its line."""
    parts = "".join(f"/${number}" for number in range(1, groups + 1)
                    if random.random() < 0.7)
    query = random.choice(["", "", "", "?k=v"])
    if own and random.random() < 0.15:
        return f"/to{line}{parts}{query}"
    return f"https://x.example/L{line}{parts}{query}"


# --- nginx ----------------------------------------------------------------------------------------

def nginx(random, count):
    """A file of several servers, and what to ask."""
    text, asks = Text(), []
    for number in range(2):
        nginx_map(text, random, number)
    for number in range(count):
        host = f"h{number}.example"
        text.add(f"server {{ listen 80; server_name {host};")
        if random.random() < 0.2:
            nginx_use(text, random)
        if random.random() < 0.4:
            text.add(f"location @n {{ return 302 https://x.example/L{text.next}$uri; }}",
                     f"location @n {{ return 302 {LOST}; }}")
            names = ["@n"]
        else:
            names = []
        for _ in range(random.randint(0, 2)):
            nginx_rewrite(text, random)
        if random.random() < 0.1:
            condition = "if ($arg_id = 2)"
            text.add(f"{condition} {{ return 302 https://x.example/L{text.next}; }}",
                     f"{condition} {{ return 302 {LOST}; }}")
        if random.random() < 0.2:
            fallback = random.choice(["https://x.example/L%d", "= @f", "= @f", "@f"])
            line = text.next
            text.add("error_page 404 " + (fallback % line if "%" in fallback else fallback) + ";",
                     f"error_page 404 {LOST};")
            if "@" in fallback:
                text.add(f"location @f {{ return 301 https://x.example/L{text.next}$uri; }}")
        known = set()
        for _ in range(random.randint(1, 6)):
            nginx_location(text, random, known, names)
        text.add("}")
        asks += [f"{host}{request(random)}" for _ in range(14)]
    return text, asks


def nginx_map(text, random, number):
    """A table of paths or of values of an argument; its lines are named by their destinations."""
    source = random.choice(["$uri", "$uri", "$request_uri", "$arg_id"])
    text.add(f"map {source} $m{number} {{")
    if random.random() < 0.5:
        text.add('default "";')
    for key in dict.fromkeys(path(random, 2) for _ in range(3)):
        text.add(f"{key if source != '$arg_id' else key[1:]} https://x.example/L{text.next};")
    segment = random.choice(SEGMENTS)
    text.add(f'"~^/{escape(segment)}/(?<r{number}>.*)$" https://x.example/L{text.next}/$r{number};')
    text.add("}")


def nginx_use(text, random):
    """A redirect to what a map has."""
    name = random.choice(["$m0", "$m1"])
    to = random.choice([name, f"https://x.example/L{text.next}?m={name}"])
    if random.random() < 0.6:
        text.add(f"if ({name}) {{ return 302 {to}; }}", f"if ({name}) {{ return 302 {LOST}; }}")
    else:
        text.add(f"if ({name} = https://x.example/L3) {{ return 302 {to}; }}",
                 f"if ({name} = https://x.example/L3) {{ return 302 {LOST}; }}")


def nginx_nested(text, random, name):
    """Locations within one of a path that ends with the name of a directory."""
    known = set()
    for _ in range(random.randint(1, 3)):
        modifier = random.choice(["", "", "=", "^~", "~"])
        inner = name.rstrip("/") + "/" + random.choice(SEGMENTS) + random.choice(["", "", "/"])
        if (modifier == "=", inner) in known:
            continue
        known.add((modifier == "=", inner))
        shown, group = (f'"^{escape(inner)}/?(.*)$"', "/$1") if modifier == "~" else (inner, "")
        start = f"location {modifier} {shown}"
        text.add(f"{start} {{ return 302 https://x.example/L{text.next}{group}; }}",
                 f"{start} {{ return 302 {LOST}; }}")


def nginx_rewrite(text, random):
    pattern, groups = expression(random)
    line, flag = text.next, random.choice(["permanent", "redirect", "redirect", "last", "break", ""])
    to = destination(random, line, groups) if flag in ("permanent", "redirect") else (
        f"/moved{line}")
    drop = random.choice(["", "", "?"]) if flag in ("permanent", "redirect") else ""
    text.add(f'rewrite "{pattern}" {to}{drop} {flag};', f'rewrite "{pattern}" {LOST}? redirect;')


def nginx_return(text, random, groups):
    line = text.next
    kind = random.randrange(12)
    if kind == 0:
        text.add("return 404;", f"return 302 {LOST};")
    elif kind == 1:
        text.add("return 410;", f"return 302 {LOST};")
    elif kind == 2:
        text.add("return 200 text;", f"return 302 {LOST};")
    else:
        tail = random.choice(["", "", "$request_uri", "$uri", "?u=$arg_id", "$is_args$args",
                              "?a=$request_uri"])
        to = f"https://x.example/L{line}{tail}" if tail else destination(random, line, groups)
        text.add(f"return {random.choice(STATUSES)} {to};", f"return 302 {LOST};")


def nginx_location(text, random, known, names):
    modifier = random.choice(["=", "^~", "~", "~*", "", ""])
    groups = 0
    if modifier.startswith("~"):
        name, groups = expression(random)
        shown = f'"{name}"'
    else:
        name = random.choice([path(random, 2), path(random, 2) + "/", "/"])
        shown = name
    if (modifier.replace("^~", ""), name) in known:
        return
    known.add((modifier.replace("^~", ""), name))
    opening = text.add(f"location {modifier} {shown} {{")
    for _ in range(random.choice([0, 0, 0, 1, 1, 2])):
        kind = random.randrange(11)
        if kind == 0:
            text.add("break;")
        elif kind == 1 and modifier in ("", "^~"):
            nginx_nested(text, random, name)
            break
        elif kind == 8:
            nginx_use(text, random)
        elif kind == 9 and names:
            text.add(f"try_files /none {names[0]};")
            break
        elif kind == 10 and names:
            text.add(f"error_page 404 = {names[0]};", f"error_page 404 {LOST};")
            break
        elif kind == 2:
            text.add(f"if ($arg_id = 2) {{ return 302 https://x.example/L{text.next}; }}",
                     f"if ($arg_id = 2) {{ return 302 {LOST}; }}")
        elif kind == 3:
            text.add("root /nowhere;")
            break
        else:
            nginx_rewrite(text, random)
    if random.random() < 0.7:
        nginx_return(text, random, groups)
    text.add("}", f"return 302 {LOST}; }}", opening)


# --- Apache ---------------------------------------------------------------------------------------

def rewrite_rule(text, random, leading, hosts):
    pattern, groups = expression(random, leading)
    for _ in range(random.choice([0, 0, 0, 0, 1, 2])):
        text.add("RewriteCond " + random.choice([
            *(["%{HTTPS} off", "%{HTTPS} on", "%{HTTPS} off [OR]"] if hosts else []),
            "%{QUERY_STRING} ^q=1",
            "%{REQUEST_FILENAME} !-f", "%{REQUEST_FILENAME} -f",
            *[f"%{{HTTP_HOST}} ^{escape(host)}$ {flag}" for host in hosts
              for flag in ("[NC]", "[OR]", "")]]))
    line, flags = text.next, random.choice([
        ["R=302", "L"], ["R=301", "L"], ["R=302", "L"], ["R=302"], ["L"], ["G"], ["R=404", "L"],
        ["R", "END"], ["C"], ["C"], ["S=1"], ["S=2"], ["N"], [], ["R=308", "L", "QSA"], ["R=302", "L", "QSD"]])
    if random.random() < 0.15:
        flags = [*flags, "NC"]
    to = destination(random, line, groups)
    if not any(flag.startswith("R") for flag in flags):
        to = random.choice(["-", "-", to])
    if hosts and groups and random.random() < 0.12:
        to = to.replace("$1", random.choice(["${low:$1}", "${up:$1|x}", "${no:$1|none}"]))
    if "N" in flags:
        # It must come to an end.
        one, two = random.choice([("ab", "c"), ("x1", "7"), ("b.php", "a.html")])
        pattern, to = f"^(.*){escape(one)}(.*)$", f"$1{two}$2"
    negation = "!" if random.random() < 0.03 else ""
    shown = f"[{','.join(flags)}]" if flags else ""
    lost = "[R=302,L,NC]" if "NC" in flags else "[R=302,L]"
    if negation:
        to = f"https://x.example/L{line}" if to != "-" else to
    text.add(f'RewriteRule "{negation}{pattern}" {to} {shown}',
             f'RewriteRule "{negation}{pattern}" {LOST}? {lost}')


def alias(text, random, base):
    line = text.next
    if random.random() < 0.5:
        above = random.random() < 0.1
        at = random.choice(["/", base]) if above else base.rstrip("/") + path(random, 2)
        at += "" if above else random.choice(["", "", "/"])
        word = random.choice(["301", "302", "permanent", "temp", "gone", "308"])
        to = "" if word == "gone" else destination(random, line, 0)
        text.add(f"Redirect {word} {at} {to}", f"Redirect 302 {at} {LOST}")
    else:
        pattern, groups = expression(random, random.choice([base, base, "/"]))
        to = destination(random, line, groups)
        text.add(f'RedirectMatch {random.choice([301, 302])} "{pattern}" {to}',
                 f'RedirectMatch 302 "{pattern}" {LOST}')


def apache(random, count):
    """A file of several virtual hosts."""
    text, asks = Text(), []
    for number in range(count):
        hosts = [f"h{number}.example", f"www.h{number}.example"]
        text.add("<VirtualHost *:443>")
        text.add("SSLEngine On")
        text.add(f"ServerName {hosts[0]}")
        text.add(f"ServerAlias {hosts[1]}")
        apache_rules(text, random, "/", "/", hosts)
        if random.random() < 0.2:
            text.add(f"ErrorDocument 404 https://x.example/L{text.next}",
                     f"ErrorDocument 404 {LOST}")
        text.add("</VirtualHost>")
        asks += [f"{random.choice(hosts)}{request(random)}" for _ in range(14)]
    return text, asks


def apache_rules(text, random, leading, base, hosts):
    isOn = False
    for _ in range(random.randint(2, 8)):
        if random.random() < 0.65:
            if not isOn:
                text.add("RewriteEngine On")
                if hosts and random.random() < 0.3:
                    for name, source in (("low", "int:tolower"), ("up", "int:toupper"),
                                         ("no", "txt:/dev/null")):
                        text.add(f"RewriteMap {name} {source}")
            isOn = True
            rewrite_rule(text, random, leading, hosts)
        else:
            alias(text, random, base)


def htaccess(random, count):
    """Files of several directories, by their names."""
    files, asks = {}, []
    for number in range(count):
        text = Text(1000 * number)
        apache_rules(text, random, "", f"/d{number}/", [])
        files[f"d{number}/.htaccess"] = text
        asks += [f"/d{number}{request(random)}" for _ in range(14)]
    return files, asks


# --- Caddy ----------------------------------------------------------------------------------------

def caddy(random, count):
    """A file of several sites."""
    text, asks = Text(), []
    for number in range(count):
        hosts = [f"h{number}.example", f"www.h{number}.example"]
        text.add(", ".join(hosts[:random.randint(1, 2)]) + " {")
        for name in "mno"[:random.randint(0, 3)]:
            caddy_matcher(text, random, name)
        for _ in range(random.randint(1, 6)):
            caddy_redirect(text, random)
        if random.random() < 0.3:
            kind = random.choice(["handle", "route"])
            at = random.choice(["", path(random, 1) + "/*", path(random, 1) + "*"])
            text.add(f"{kind} {at} {{")
            caddy_redirect(text, random)
            text.add("}")
        text.add("}")
        asks += [f"{hosts[0]}{request(random)}" for _ in range(14)]
    return text, asks


def caddy_matcher(text, random, name):
    kind = random.randrange(4)
    if kind == 0:
        text.add(f"@{name} path {path(random, 2)} {path(random, 1)}/*"
                 + random.choice(["", f" {glob(random)}"]))
    elif kind == 1:
        pattern, _ = expression(random)
        text.add(f"@{name} path_regexp {name} {pattern}")
    elif kind == 2:
        text.add(f"@{name} query q=1")
    else:
        text.add(f"@{name} not path {path(random, 1)}/*")


def glob(random):
    """A path with a wildcard within it."""
    parts = path(random, 3).split("/")[1:]
    number = random.randrange(len(parts))
    parts[number] = random.choice(["*", parts[number][0] + "*" + parts[number][-1],
                                   parts[number] + "?", "?" + parts[number][1:], "[ab]"])
    return "/" + "/".join(parts) + random.choice(["", "", "/*"])


def caddy_redirect(text, random):
    # A matcher that was not defined is an error of the file.
    site = [line for line, _, _ in text.lines]
    last = max(index for index, line in enumerate(site) if line.endswith(" {") and "example" in line)
    names = [line.split()[0] for line in site[last:] if line.startswith("@")]
    matcher = random.choice(["", "*", path(random, 2), path(random, 2) + "/*", path(random, 1) + "*",
                             glob(random), *names, *names])
    tail = random.choice(["", "{uri}", "{path}", "?u={query.id}", "?{query}"])
    code = random.choice(["", "301", "permanent", "308", "html"])
    text.add(f"redir {matcher} https://x.example/L{text.next}{tail} {code}".replace("  ", " "),
             f"redir {matcher} {LOST}".replace("  ", " "))
