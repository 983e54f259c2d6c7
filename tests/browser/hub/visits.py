"""People on the hub's page: a real hub, accounts of their own, and a browser in which somebody is signed in."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

from browser import patience
from hub import hubs
from playwright import sync_api

expect = sync_api.expect
AXE = pathlib.Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PASSWORD = "a long password"


class Site:
    """The hub, its logs, and new people."""

    def __init__(self, hub: hubs.Hub, logs: pathlib.Path) -> None:
        self.hub, self.logs = hub, logs
        self._numbers = itertools.count(1)

    def person(self) -> Person:
        name = f"user{next(self._numbers)}"
        return Person(self, name, self.hub.new_user(name, PASSWORD))


class Person:
    def __init__(self, site: Site, name: str, token: str) -> None:
        self.site, self.name, self.token = site, name, token

    def ask(self, method: str, path: str, **more: Any) -> Any:
        return self.site.hub.ok(method, f"/api/v1/{path}", token=self.token, **more)

    def board(self, name: str, run: str = "a", **members: Any) -> Any:
        return self.site.hub.new_board(self.site.logs / run, token=self.token, name=name, **members)

    def stopped_board(self, name: str) -> Any:
        made = self.board(name)
        return self.site.hub.settled(self.ask("POST", f"boards/{made['id']}:stop", json={}), token=self.token)

    def signs_in(self, page: sync_api.Page) -> Visit:
        data, headers = {"name": self.name, "password": PASSWORD}, {"Origin": self.site.hub.url}
        answer = page.request.post(f"{self.site.hub.url}/api/v1/session", data=data, headers=headers)
        assert answer.ok, answer.text()
        return Visit(self, page)


class Visit:
    """A page of somebody who is signed in."""

    def __init__(self, person: Person, page: sync_api.Page) -> None:
        self.person, self.page = person, page

    def open(self, address: str = "#/boards") -> Visit:
        # leaving first: a change of the part after # alone loads nothing
        self.page.goto("about:blank")
        self.page.goto(f"{self.person.site.hub.url}/{address}")
        return self

    def part(self, name: str) -> sync_api.Locator:
        return self.page.get_by_test_id(name)

    def row(self, name: str) -> sync_api.Locator:
        return self.page.get_by_role("row", name=name, exact=True)

    def names(self) -> list[str]:
        found: list[str] = self.page.locator("[data-board]").evaluate_all("(rows) => rows.map((row) => row.ariaLabel)")
        return found

    def lists(self, *names: str) -> None:
        """Until the list has these boards, in this order."""
        patience.eventually(self.page, lambda _page: self.names(), list(names))

    def cell(self, name: str, column: str) -> sync_api.Locator:
        return self.row(name).locator(f'[data-cell="{column}"]')

    def heard(self, text: str) -> None:
        expect(self.page.locator(".toast").filter(has_text=text)).to_be_visible()


def fits(page: sync_api.Page) -> None:
    """Nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert page.evaluate("document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth")


def violations(page: sync_api.Page) -> list[str]:
    found: list[str] = page.evaluate(
        """async (rules) => {
            const told = await axe.run(document, {
                runOnly: {type: "tag", values: rules}, resultTypes: ["violations"], iframes: false,
            });
            return told.violations.flatMap(({id, nodes}) => nodes.map((node) => {
                const why = [...node.any, ...node.all, ...node.none].map((check) => check.message);
                return `${id}: ${node.html.slice(0, 200)} – ${why.join("; ")}`;
            }));
        }""",
        RULES,
    )
    return found
