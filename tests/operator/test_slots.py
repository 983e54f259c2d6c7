"""Quotas of an account, a namespace and the cluster; which boards a refusal names."""

from __future__ import annotations

import dataclasses

from operator_documents import NOW, observed, resource

from lightboard.hub.life import nouns, quota
from lightboard.operator import Label, kinds, plan, slots


def _board(name: str, namespace: str = "team", account: str = "") -> kinds.Definition:
    document = resource(name=name)
    document["metadata"].update(namespace=namespace, labels={Label.ACCOUNT: account} if account else {})
    return kinds.read(kinds.BOARD, document)


def _running(*boards: kinds.Definition) -> dict[tuple[str, str, str], plan.Memory]:
    made = {}
    for each in boards:
        memory = plan.adopt(each, observed(), NOW)
        board = dataclasses.replace(memory.board, state=nouns.State.RUNNING)
        made[each.key] = dataclasses.replace(memory, board=board)
    return made


def test_the_quota_of_an_account_counts_its_boards_in_all_namespaces() -> None:
    known = _running(
        _board("a", "team", "ann"), _board("b", "other", "ann"), _board("c", "team", "bob"), _board("d", "team")
    )
    limits = quota.Limits(account=2)
    assert slots.full(_board("new", "team", "ann"), known, limits) == ("the account ann", 2, 2, ("a",))
    assert slots.full(_board("new", "team", "bob"), known, limits) is None
    assert slots.full(_board("new", "team"), known, limits) is None  # nobody's
    assert slots.full(_board("a", "team", "ann"), known, limits) is None  # it has a slot


def test_boards_of_other_namespaces_are_counted_and_not_named() -> None:
    known = _running(_board("a"), _board("secret-plan", "other"))
    assert slots.full(_board("new"), known, quota.Limits(None, None, 2)) == ("the cluster", 2, 2, ("a",))


def test_boards_that_wait_have_no_slot() -> None:
    known = _running(_board("a"))
    key, memory = next(iter(known.items()))
    board = dataclasses.replace(memory.board, state=nouns.State.PENDING, reason="PvcNotFound")
    known[key] = dataclasses.replace(memory, board=board)
    assert slots.full(_board("new"), known, quota.Limits(None, 1, None)) is None


def test_the_hub_in_the_name_of_a_namespace_stays() -> None:
    known = _running(_board("a", "github"))
    found = slots.full(_board("new", "github"), known, quota.Limits(None, 1, None))
    assert found is not None
    assert found[0] == "the namespace github"
