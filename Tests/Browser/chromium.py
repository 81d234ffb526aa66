"""Chromium, as the pages of landing links are looked at with it."""

import json
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Python"))
from origin import Origin, Program, copy_site  # noqa: E402,F401

SITE = ROOT / "Tests/Fixtures/sites/tafel"
HOST, OPEN_HOST = "www.tafel.example", "open.tafel.example"
PATH = "/table/7731"
LINK = f"https://{HOST}{PATH}"


def user_agent(program, config, client):
    """What the named client sends, as `explain` has it."""
    said = program.output("explain", LINK, "--as", client, "--config", config, "--env", "prod",
                          "--format", "json")
    return json.loads(said)["userAgent"]


class browser:
    """Chromium that finds the origin under every name, and trusts its development certificate."""

    def __init__(self, origin, agent, script):
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--ignore-certificate-errors", f"--user-agent={agent}",
            f"--host-resolver-rules=MAP * 127.0.0.1:{origin.https}",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if not script:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        self.driver = webdriver.Chrome(options, Service("/usr/bin/chromedriver"))

    def __enter__(self):
        return self.driver

    def __exit__(self, *_):
        self.driver.quit()


def open_page(driver, agent, scheme, language, width, height=900, link=LINK):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 2 if width < 500 else 1,
        "mobile": width < 500})
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {
        "userAgent": agent, "acceptLanguage": language})
    driver.get(link)


def evaluate(driver, expression):
    """The debugger's own evaluation works in a page whose scripts are off."""
    answer = driver.execute_cdp_cmd(
        "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
    return answer["result"].get("value")
