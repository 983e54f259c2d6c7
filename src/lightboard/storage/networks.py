"""Which servers may be connected to: public ones, and those that `[networks] allow` of `storage.toml` names.

    [networks]
    allow = ["10.20.0.0/16", "minio.example.org", "*.svc.cluster.local"]

Without the section every server is allowed. A name is checked by its addresses, each time it is connected to: the
addresses of a name can change between a check and its use. A name that is listed is not looked up.

Public are addresses that everybody on the Internet reaches. Not public: loopback, link-local, private and shared
ranges, addresses that carry such an IPv4 address inside, and the metadata services of clouds.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import re
import socket
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Services of a cloud to its machines at addresses that look public: Azure's.
_CLOUD = frozenset({ipaddress.ip_address("168.63.129.16")})
_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
# Stores of clouds: their names belong to the cloud, which may give them private addresses inside its networks.
_STORES = re.compile(
    r"(?:[a-z0-9][a-z0-9.-]*\.)?(?:"
    r"s3(?:[.-](?:dualstack\.)?[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?"
    r"|(?:s3\.)?oss-[a-z0-9-]+\.aliyuncs\.com"
    r"|storage\.googleapis\.com"
    r"|(?:blob|dfs)\.core\.(?:windows\.net|chinacloudapi\.cn)"
    r")"
)
_NAME = re.compile(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")


class Inside(OSError):
    """The server is not public, and not allowed."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the server is inside a private network: {host}")
        self.host = host


@dataclasses.dataclass(frozen=True)
class Networks:
    """`allow` has networks, addresses and names, as `parsed` returns them."""

    allow: tuple[str, ...] = ()

    def names(self, host: str) -> bool:
        """Whether this host is allowed by its name alone."""
        plain = _plain(host)
        return any(_is_name(each) and _matches(plain, each.lower()) for each in self.allow)

    def permits(self, address: str) -> bool:
        """Whether an IP address may be connected to."""
        found = _inner(ipaddress.ip_address(address.partition("%")[0]))
        return is_public(found) or self._lists(found)

    def _lists(self, address: Address) -> bool:
        return any(address in ipaddress.ip_network(each) for each in self.allow if not _is_name(each))

    def trusts(self, host: str) -> bool:
        """Whether the admin named this host, or the network of this address: then where it redirects to is its
        business."""
        try:
            found = _inner(ipaddress.ip_address(_plain(host)))
        except ValueError:
            return self.names(host)
        return self._lists(found)

    def resolved(self, host: str, port: int) -> list[tuple[socket.AddressFamily, str]]:
        """The addresses to connect to. Raises Inside if one of them is not permitted, OSError for an unknown name."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [(socket.AddressFamily(family), str(sockaddr[0])) for family, _, _, _, sockaddr in found]
        if not self.names(host) and not all(self.permits(address) for _, address in addresses):
            raise Inside(host)
        return addresses


def is_public(address: Address) -> bool:
    inner = _inner(address)
    unusual = inner.is_multicast or inner.is_reserved or inner.is_unspecified or inner in _CLOUD
    return inner.is_global and not unusual


def is_cloud_store(host: str) -> bool:
    """Whether a host is the store of a cloud, by its name: nobody else can give it an address."""
    return _STORES.fullmatch(_plain(host)) is not None


def parsed(text: str) -> str:
    """One entry of `allow`. Raises ValueError."""
    text = text.strip()
    if re.fullmatch(r"[0-9.]+(?:/[0-9.]+)?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:/\d+)?", text):
        return str(ipaddress.ip_network(text, strict=False))
    if not _NAME.fullmatch(text):
        raise ValueError(f"`{text}` is neither a network nor the name of a host")
    return text.lower()


def connect(networks: Networks, host: str, port: int, timeout_secs: float) -> socket.socket:
    """A connection to one of the addresses that were checked."""
    problem: OSError | None = None
    for family, address in networks.resolved(host, port):
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.settimeout(timeout_secs)
            made.connect((address, port))
            return made
        except OSError as error:
            made.close()
            problem = error
    raise problem or OSError(f"no address is known: {host}")


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 address leads to, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _NAT64):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _is_name(entry: str) -> bool:
    return "/" not in entry


def _matches(host: str, name: str) -> bool:
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def entries(values: Sequence[str]) -> Networks:
    return Networks(tuple(parsed(each) for each in values))
