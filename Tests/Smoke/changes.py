"""Changes that nobody announces: the program notices them, and takes over what is whole."""

import os
import shutil
import time

from origin import HOST, leaf, swap_link, wait_until


def presents(site, origin, wanted):
    return wait_until(lambda: site.client(origin).certificate() == wanted)


def renew(site, directory):
    """A new certificate and key of the first host, in a directory of their own."""
    directory.mkdir(parents=True)
    for path in site.program.make_certificate(site.certificates, [HOST]):
        shutil.move(path, directory / f"tls.{path.suffix[1:]}")
    return leaf(directory / "tls.pem")


def reloads(origin):
    return origin.log.count("waymark: reloaded")


def test_noticed_files(results, site):
    """The configuration and the public directory."""
    text = site.config.read_text()
    with site.serve() as origin:
        site.write(text.replace("example: [one]", "example: [one, two]"))
        results.check("a changed configuration is noticed", origin.wait_for_log(
            r"^waymark: reloaded test: generation 2, "
            r"configuration ([0-9a-f]{12}) after (?!\1)[0-9a-f]{12}, \d+ ms$"))

        site.write(text + "nonsense: true\n")
        origin.wait_for_log("reload-refused")
        before = len(origin.log)
        time.sleep(3)
        results.check("a broken one is refused, and said once", len(origin.log) == before,
                      origin.log[before:])
        site.write(text)
        results.check("a mended one is taken over", origin.wait_for_log(
            "generation 3"))

        (site.directory / "Public/deep/er").mkdir(parents=True)
        (site.directory / "Public/deep/er/new.txt").write_text("new")
        origin.wait_for_log("generation 4")
        results.check("a new public file is served",
                      site.client(origin).get("/deep/er/new.txt") == (200, b"new"))
        (site.directory / "Public/deep/er/new.txt").write_text("newer")
        origin.wait_for_log("generation 5")
        results.check("so is a changed one, however deep",
                      site.client(origin).get("/deep/er/new.txt") == (200, b"newer"))
        shutil.rmtree(site.directory / "Public/deep")
        origin.wait_for_log("generation 6")
        results.check("one that is gone is not",
                      site.client(origin).get("/deep/er/new.txt")[0] == 404)

        site.write(text)
        os.utime(site.certificates / "first.pem")
        time.sleep(2.5)
        results.check("the same content again is no change", reloads(origin) == 5, origin.log)
        origin.reload()
        results.check("an order without a change says so", origin.wait_for_log(
            r"generation 7, configuration [0-9a-f]{12} as before, \d+ ms$"))


def test_noticed_certificates(results, site):
    """Certificates that are renewed by exchanging symbolic links."""
    text = site.config.read_text()
    archive, live = site.directory / "archive", site.directory / "live"
    renew(site, archive / "1")
    live.mkdir()
    for name in ("tls.pem", "tls.key"):
        (live / name).symlink_to(f"../archive/1/{name}")
    site.write(text.replace("certs/first", "live/tls"))
    with site.serve() as origin:
        wanted = renew(site, archive / "2")
        for name in ("tls.pem", "tls.key"):
            swap_link(live / name, f"../archive/2/{name}")
        results.check("certbot: links to the new files are noticed",
                      presents(site, origin, wanted), origin.log)
        wanted = renew(site, archive / "3")
        swap_link(live / "tls.pem", "../archive/3/tls.pem")
        before = leaf(archive / "2/tls.pem")
        said = origin.wait_for_log("does not fit the certificate")
        results.check("certbot: half of it is not used", said and presents(site, origin, before))
        swap_link(live / "tls.key", "../archive/3/tls.key")
        results.check("certbot: the whole is taken over",
                      presents(site, origin, wanted), origin.log)
        site.write(site.config.read_text() + "nonsense: true\n")
        origin.wait_for_log("reload-refused")
        wanted = renew(site, archive / "4")
        for name in ("tls.pem", "tls.key"):
            swap_link(live / name, f"../archive/4/{name}")
        results.check("certbot: the whole is taken over beside a broken configuration",
                      presents(site, origin, wanted), origin.log)
        results.check("whose errors stay", origin.wait_for_log(
            f"other certificates are served for {HOST}; all else stays")
            and "generation 5" not in origin.log, origin.log)

    mount = site.directory / "mount"
    renew(site, mount / "..1")
    (mount / "..data").symlink_to("..1")
    for name in ("tls.pem", "tls.key"):
        (mount / name).symlink_to(f"..data/{name}")
    site.write(text.replace("certs/first", "mount/tls"))
    with site.serve() as origin:
        for number in (2, 3):
            wanted = renew(site, mount / f"..{number}")
            swap_link(mount / "..data", f"..{number}")
            shutil.rmtree(mount / f"..{number - 1}")
            results.check(f"Kubernetes: swap {number - 1} of ..data is noticed",
                          presents(site, origin, wanted), origin.log)
    shutil.rmtree(live)
    shutil.rmtree(mount)
