"""Several sites in one process: each by itself, also while another one is broken."""

from load import AASA, Load
from origin import Client, Origin, copy_site, wait_until

ENVIRONMENT = "dev"
HOUSE = ["shop", "news", "game"]
FOURTH = """\
site: {name: Blog}
apps: {blog: {ios: {id: K3W9Q7M2XA.example.linkhouse.blog}}}
links: {post: {match: /post/*, web: "https://www.blog.example/{1}"}}
publish: {blog: [post]}
robots: closed
"""


def host_of(site):
    return f"{site}.localhost"


def test_house(results, program, house, smoke, directory):
    """The link house of the fixtures, in one process."""
    config = copy_site(house, directory)
    hosts = [f"{prefix}{host_of(site)}" for site in [*HOUSE, "blog"] for prefix in ("", "open-")]
    program.make_certificate(directory / "certs", hosts)
    authority = directory / "certs/dev-ca.pem"
    with Origin(program, config, ENVIRONMENT, directory / "log") as origin:

        def answer(site, path):
            client = Client(origin, host_of(site), authority)
            try:
                return client.get(path)
            finally:
                client.close()

        files = {}
        for site in HOUSE:
            options = ["--cacert", authority]
            for file, option in (("aasa", "--expect"), ("assetlinks", "--expect-assetlinks")):
                rendered = directory / f"{site}-{file}"
                rendered.write_bytes(program.run(
                    "render", file, "--config", config, "--env", ENVIRONMENT,
                    "--host", host_of(site)).stdout)
                if rendered.stat().st_size:
                    options += [option, rendered]
                elif file == "assetlinks":
                    options.append("--no-assetlinks")
                files[site, file] = rendered.read_bytes()
            if files[site, "aasa"]:
                results.add_smoke(f"{host_of(site)} of the house", smoke(
                    origin, host_of(site), options))
        results.check("an Android app alone has no association file for Apple",
                      answer("news", AASA)[0] == 404 and not files["news", "aasa"])
        results.check("and its statements are its own",
                      b"linkhouse.paper" in answer("news", "/.well-known/assetlinks.json")[1])

        page = answer("news", "/")
        broken = config.parent / "sites/news.yaml"
        text = broken.read_text()
        with Load(origin, host_of("shop"), authority) as shop, \
                Load(origin, host_of("game"), authority) as game:
            broken.write_text("links: {a")
            origin.wait_for_log('site "news" is served as before')
            results.check("a broken site keeps its own state", answer("news", "/") == page)
            seen = len(origin.log)
            (config.parent / "sites/blog.yaml").write_text(FOURTH)
            (config.parent / "Public/blog").mkdir()
            results.check("five lines are a fourth site, while another one is broken", wait_until(
                lambda: b"linkhouse.blog" in answer("blog", AASA)[1]),
                origin.log[seen:])
            broken.write_text(text.replace("Morgenblatt", "Abendblatt"))
            results.check("a mended site is served", wait_until(
                lambda: b"Abendblatt" in answer("news", "/artikel/7")[1]))
        for site, load in (("shop", shop), ("game", game)):
            results.check(f"meanwhile no request to {site} failed ({load.requests})",
                          not load.failures and load.requests > 0, str(load.failures[:3]))
            results.check(f"and {site} always sent its own file",
                          load.answers == {files[site, "aasa"]})
        origin.stop()
        results.check("the house stops", origin.exit_status() == 0)
