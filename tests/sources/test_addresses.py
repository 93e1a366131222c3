"""Which addresses are public."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.addresses import public


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1", "64:ff9b::808:808"],
)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert public(address)


@pytest.mark.parametrize(
    "address",
    """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.254 127.0.0.1 127.8.8.8 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1
    64:ff9b:1::808:808 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1
    2002:808:808::1 2002:7f00:1::1 3fff::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1
    ff02::1 5f00::1
    """.split(),
)
def test_addresses_of_all_other_kinds_are_not(address: str) -> None:
    assert not public(address)


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "0x7f000001", "8.8.8.8:80", "8.8.8"])
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not public(text)


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_nothing_that_python_knows_as_special_is_public(address: IPv4Address) -> None:
    if address.is_private or address.is_multicast or address.is_reserved or address.is_loopback:
        assert not public(str(address))


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_is_as_public_behind_nat64_as_it_is_itself(number: int) -> None:
    behind = IPv6Address((0x64FF9B << 96) | number)
    assert public(str(behind)) == public(str(IPv4Address(number)))
