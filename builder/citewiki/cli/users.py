"""`user`, `share`, `unshare`: who may read what, and with which token."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.forget import acting, deed_options, tell
from citewiki.cli.options import acting_option, moment, now, output_options, wiki_option
from citewiki.cli.output import counted, print_json, say, styled
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from collections.abc import Callable

    from citewiki.store.users import Token
    from citewiki.wiki import Wiki


def token_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What a new token is called and may do."""
    for option in (
        click.option("--expires", type=moment, metavar="DATE", help="It ends then."),
        click.option("--read-only", is_flag=True, help="It reads, and writes nothing."),
        click.option("--token-name", metavar="TEXT", help="What tells it from the user's others."),
    ):
        function = option(function)
    return function


@click.group()
def user() -> None:
    """Add, list and remove users; issue and revoke their tokens."""


@user.command("add")
@click.argument("name", help="Up to 64 letters, digits and “._-@”.")
@token_options
@wiki_option
@output_options
def add(
    name: str,
    token_name: str | None,
    read_only: bool,
    expires: datetime | None,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Add a user with a first token, printed once, on stdout alone."""
    from citewiki.store.users import add_user, known_users

    opened = open_wiki(wiki, None, quiet)
    made = add_user(opened.root, name, now=now())
    for other in known_users(opened.pages(), None):
        if other != made.name and other.casefold() == made.name.casefold():
            say(f"pages name “{other}”, who is another user than “{made.name}”", quiet)
    _issue(opened, made.name, token_name or "first", read_only, expires, json, quiet)


@user.command("token")
@click.argument("name", help="The user's name.")
@token_options
@wiki_option
@output_options
def token(
    name: str,
    token_name: str | None,
    read_only: bool,
    expires: datetime | None,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Issue one more token to a user, printed once, on stdout alone."""
    opened = open_wiki(wiki, None, quiet)
    label = token_name or f"token of {now():%Y-%m-%d %H:%M:%S}"
    _issue(opened, name, label, read_only, expires, json, quiet)


@user.command("list")
@wiki_option
@output_options
def list_users(wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """List users and what their tokens may do; the tokens themselves nobody can show."""
    from citewiki.cli.differences import harmless
    from citewiki.model import iso
    from citewiki.store.users import load_users

    users = load_users(open_wiki(wiki, None, quiet).root)
    if json:
        print_json(
            [{"name": u.name, "tokens": list(map(_entry, u.tokens))} for u in users.values()]
        )
        return
    for each in users.values():
        print(styled(each.name, "1"))
        for known in each.tokens:
            used = f"used {iso(known.last_used_at)[:16]}Z" if known.last_used_at else "never used"
            rights = "reads only" if known.read_only else "reads and writes"
            told = [f"{known.prefix}…", rights, f"made {iso(known.created_at)[:10]}", used]
            if known.expires_at:
                over = "expired" if known.expires_at <= now() else "expires"
                told.append(f"{over} {iso(known.expires_at)[:16]}Z")
            print(f"    {harmless(known.name)}  {styled(' · '.join(told), '2')}")
    say(counted(len(users), "user"), quiet)


@user.command("revoke")
@click.argument("name", help="The user's name.")
@click.argument("token_name", metavar="TOKENNAME", help="The token's, as `user list` tells.")
@wiki_option
@output_options
def revoke(name: str, token_name: str, wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """Take a token back; it stops working at once."""
    from citewiki.store.users import revoke_token

    gone = revoke_token(open_wiki(wiki, None, quiet).root, name, token_name, now=now())
    if json:
        print_json({"user": name, "revoked": _entry(gone)})
    say(f"{gone.prefix}… of {name} is revoked", quiet)


@user.command("remove")
@click.argument("name", help="The user's name.")
@wiki_option
@output_options
def remove(name: str, wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """Remove a user with all tokens; pages that they own stay theirs."""
    from citewiki.server.history import forget
    from citewiki.store.users import remove_user

    root = open_wiki(wiki, None, quiet).root
    gone = remove_user(root, name)
    forget(root, gone.name)  # whoever is called so next has not asked them
    if json:
        print_json({"removed": gone.name, "tokens": [each.name for each in gone.tokens]})
    say(f"{gone.name} is out, with {counted(len(gone.tokens), 'token')}; pages stay", quiet)


@click.command()
@click.argument("page", help="Title, alias, slug or path.")
@click.argument("users", nargs=-1, metavar="[USER…]", help="Names, or “*” for anyone.")
@click.option("--all", "everyone", is_flag=True, help="Anyone may read it.")
@deed_options
@acting_option
@wiki_option
@output_options
def share(
    page: str,
    users: tuple[str, ...],
    everyone: bool,
    viewer: str | None,
    who: str,
    why: str,
    dry_run: bool,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Let users read a page that one owns; unshare takes it back."""
    from citewiki.store import sharing
    from citewiki.store.files import lock

    opened = open_wiki(wiki, viewer, quiet)
    how = {"now": now(), "why": why, "dry_run": dry_run, **acting(viewer, who)}
    wanted = _wanted(users, everyone)
    unknown = _unknown(opened, wanted)
    with lock(opened.cache):
        changes = sharing.share(opened.root, [page], wanted, **how)
    for name in unknown:
        say(f"no user is called “{name}” so far; check the name", quiet)
    tell(changes, dry_run, json, quiet)


@click.command()
@click.argument("page", help="Title, alias, slug or path.")
@click.argument("users", nargs=-1, metavar="[USER…]", help="Names, or “*” for anyone.")
@click.option("--all", "everyone", is_flag=True, help="Nobody but the owner may read it.")
@deed_options
@acting_option
@wiki_option
@output_options
def unshare(
    page: str,
    users: tuple[str, ...],
    everyone: bool,
    viewer: str | None,
    who: str,
    why: str,
    dry_run: bool,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Take back that users may read a page."""
    from citewiki.store import sharing
    from citewiki.store.files import lock

    opened = open_wiki(wiki, viewer, quiet)
    how = {"now": now(), "why": why, "dry_run": dry_run, **acting(viewer, who)}
    _wanted(users, everyone)
    with lock(opened.cache):
        changes = sharing.unshare(opened.root, [page], users, everyone=everyone, **how)
    tell(changes, dry_run, json, quiet)


def _issue(
    opened: Wiki,
    name: str,
    token_name: str,
    read_only: bool,
    expires: datetime | None,
    json: bool,
    quiet: bool,
) -> None:
    from citewiki.store.users import issue_token, load_users

    text = issue_token(
        opened.root, name, name=token_name, now=now(), read_only=read_only, expires_at=expires
    )
    if json:
        known = load_users(opened.root)[name].tokens[-1]
        print_json({"user": name, "token": text, **_entry(known)})
    else:
        print(text)
        sys.stdout.flush()
    say(f"this token of {name} is shown once; keep it where only {name} reads it", quiet)


def _entry(known: Token) -> dict[str, Any]:
    """A token without its hash, which is of use to nobody."""
    return {
        "name": known.name,
        "prefix": known.prefix,
        "read_only": known.read_only,
        "created_at": known.created_at,
        "last_used_at": known.last_used_at,
        "expires_at": known.expires_at,
    }


def _wanted(users: tuple[str, ...], everyone: bool) -> tuple[str, ...]:
    if bool(users) == everyone:
        raise click.UsageError("name users, or say --all")
    return ("*",) if everyone else users


def _unknown(opened: Wiki, users: Iterable[str]) -> list[str]:
    """Those of `users` who are nobody that the viewer may know of."""
    from citewiki.store.users import known_users, load_users

    known = {"*", *known_users(opened.pages(), opened.viewer), *load_users(opened.root)}
    return [name for name in users if name not in known]
