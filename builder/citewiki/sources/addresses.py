"""Which IP addresses belong to the public internet."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# IANA IPv4 Special-Purpose Address Registry, with multicast (RFC 5771). Written out, as what
# Python's `is_global` knows differs from one patch release to the next.
_SPECIAL_V4 = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by carriers' customers
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local; cloud metadata
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
_GLOBAL_V6 = ip_network("2000::/3")  # the only part of IPv6 given out for unicast (RFC 4291)
_SPECIAL_V6 = tuple(
    map(
        ip_network,
        (
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4: any IPv4 address may hide in it
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = ip_network("64:ff9b::/96")  # an IPv4 address seen from a network without IPv4 (RFC 6052)


def public(address: str) -> bool:
    """Whether `address` is one of the public internet, for sure.

    Unknown kinds are not public, nor are IPv4 addresses in IPv6 clothes (`::ffff:10.0.0.1`,
    `::10.0.0.1`), which no name server needs. What is no address at all is not public either.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip in _NAT64:
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _SPECIAL_V4)
    return ip in _GLOBAL_V6 and not any(ip in network for network in _SPECIAL_V6)
