"""Who gets in."""

import pytest

from sinew._viewer.admission import Gate, Refused


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8080", "LOCALHOST:1", "[::1]:99", "[::1]", "robot.lan:80"]
)
def test_names_of_this_machine_are_served(host):
    Gate("Robot.lan").check_host(host)


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example", "evil@x:1", "[::1", "0.0.0.0:1"],
)  # fmt: skip
def test_other_names_are_not_served(host):
    with pytest.raises(Refused):
        Gate("127.0.0.1").check_host(host)


@pytest.mark.parametrize(
    "origin", [None, "", "null", "http://evil.example", "http://localhost:81", "http://localhost:80.evil.example"]
)  # fmt: skip
def test_pages_of_others_open_no_socket(origin):
    gate = Gate("127.0.0.1")
    with pytest.raises(Refused):
        gate.check_origin(origin, "localhost:80")
    gate.check_origin("http://localhost:80", "localhost:80")
    gate.check_origin("https://localhost:80", "localhost:80")  # behind a proxy of notebooks


def test_the_token_lets_in_and_nothing_like_it():
    gate, other = Gate("127.0.0.1"), Gate("127.0.0.1")
    assert gate.token != other.token and gate.cookie != other.cookie and len(gate.token) >= 32
    assert gate.knows(f"token={gate.token}")
    for wrong in (
        "",
        "token=",
        "token",
        f"token={gate.token[:-1]}",
        f"token={gate.token}x",
        f"token={other.token}",
        "token=ä",
    ):
        assert not gate.knows(wrong)


def test_a_browser_is_remembered_by_its_cookie():
    gate = Gate("127.0.0.1")
    header = gate.set_cookie()
    assert "HttpOnly" in header and "SameSite=Strict" in header
    cookie = header.split(";")[0]
    assert gate.remembers(cookie) and gate.remembers(f"a=b; {cookie}; c=d")
    for wrong in (
        None,
        "",
        "=",
        f"{gate.cookie}=",
        cookie[:-1],
        f"other={gate.token}",
        "\x00;;=",
        cookie.upper(),
    ):
        assert not gate.remembers(wrong)
