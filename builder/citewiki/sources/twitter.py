"""Twitter and X archives: `tweets.js` alone, or the zip that holds it. A thread is a section."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import unescape
from typing import Any

from citewiki.errors import SourceError
from citewiki.model import Place, Source
from citewiki.sources.archive import Archive
from citewiki.sources.archive_files import files, unreadable
from citewiki.sources.encoding import clean, decode
from citewiki.sources.entries import (
    Entry,
    archive_source,
    first_words,
    joined,
    left_out,
    line,
    minute,
)
from citewiki.sources.export_kinds import TWEETS_FILE, TWITTER_SCRIPT

_ACCOUNT = re.compile(r"(?:^|/)account\.js$")
_OF_TWEETS = frozenset(("tweet", "tweets", "community_tweet"))
_NOTES = re.compile(r"(?:^|/)note-tweets?(?:-part\d+)?\.js$")
_BEGINNING = 120  # characters by which a long text is found; tweets cut it after some 270
_RETWEET = re.compile(r"RT @\w{1,20}:")
_SHORT = re.compile(r"https://t\.co/\w{1,30}")


@dataclass(frozen=True, slots=True)
class Tweet:
    """What its writer said at once."""

    id: str
    text: str  # links expanded
    at: datetime | None
    answers: str = ""  # id of the tweet that it answers
    answered: str = ""  # name of that tweet's writer
    is_retweet: bool = False
    pictures: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def read(content: str | Archive, name: str) -> Source | None:
    """The threads of the tweets in a file or an archive; None when no tweet can be read."""
    extra: list[Entry] = []
    user = ""
    if isinstance(content, str):
        script = TWITTER_SCRIPT.match(content)
        found = list(_tweets(_values(content))) if script and script["what"] in _OF_TWEETS else []
        if not found:
            extra = [left_out([name], "no tweets")]
    else:
        found, user, extra = _from_zip(content)
    if not (found or extra):
        return None
    own = [tweet for tweet in found if not tweet.is_retweet]
    entries = [_entry(thread, user) for thread in threads(own)]
    if retweets := len(found) - len(own):
        said = f"{retweets:,} retweets" if retweets > 1 else "a retweet"
        reason = f"{said}: the words of others, and left out"
        extra = [*extra, Entry("", "", "retweets", key="retweets", status="skipped", reason=reason)]
    return archive_source(
        [*entries, *extra],
        name,
        reader="twitter",
        media_type="application/zip" if isinstance(content, Archive) else "text/javascript",
        authority="chat",
        title=f"Tweets of @{user}" if user else "",
        author=user,
    )


def threads(tweets: Iterable[Tweet]) -> list[list[Tweet]]:
    """Tweets that go on from one another, each thread and all of them by date."""
    ordered = sorted({t.id: t for t in tweets}.values(), key=lambda t: (t.at or _UNDATED, t.id))
    known = {tweet.id for tweet in ordered}
    roots: dict[str, str] = {}
    found: dict[str, list[Tweet]] = {}
    for tweet in ordered:  # what is answered was written before
        above = tweet.answers if tweet.answers in known else ""
        root = roots[tweet.id] = roots.get(above, above) or tweet.id
        found.setdefault(root, []).append(tweet)
    return list(found.values())


_UNDATED = datetime.min.replace(tzinfo=UTC)


def _from_zip(archive: Archive) -> tuple[list[Tweet], str, list[Entry]]:
    """The tweets, their writer's name, and what is to be accounted for beside them."""
    members, extra = files(archive)
    found: list[Tweet] = []
    whole: dict[str, str] = {}  # long texts, of which the tweets hold the beginning
    user = ""
    rest: list[str] = []
    for member in members:
        tweets, notes = TWEETS_FILE.search(member.path), _NOTES.search(member.path)
        if not (tweets or notes or _ACCOUNT.search(member.path)):
            rest.append(member.path)
            continue
        try:
            values = _values(decode(member.data()).text)
        except SourceError as error:
            extra.append(unreadable(member.path, error.reason))
            continue
        if tweets:
            found += _tweets(values)
        elif notes:
            whole |= {text[:_BEGINNING]: text for text in _long_texts(values)}
        else:
            accounts = [value.get("account") for value in values]
            names = [line(a.get("username")) for a in accounts if isinstance(a, dict)]
            user = next(filter(None, names), "")
    if rest:
        extra.append(left_out(rest, "likes, messages, settings and media"))
    return [_whole(tweet, whole) for tweet in found], user, extra


def _long_texts(values: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The texts of note-tweet.js: tweets of more than 280 characters."""
    for value in values:
        note = value.get("noteTweet")
        core = note.get("core") if isinstance(note, dict) else None
        if isinstance(core, dict) and isinstance(text := core.get("text"), str):
            yield clean(unescape(text)).strip()


def _whole(tweet: Tweet, texts: Mapping[str, str]) -> Tweet:
    """The tweet with all of its text."""
    text = texts.get(tweet.text[:_BEGINNING], "")
    return replace(tweet, text=text) if len(text) > len(tweet.text) else tweet


def _values(text: str) -> list[dict[str, Any]]:
    """The objects of the list that the script assigns; [] when it cannot be read."""
    try:
        data = json.loads(TWITTER_SCRIPT.sub("", text, count=1).strip().removesuffix(";"))
    except (ValueError, RecursionError):
        return []
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def _tweets(values: Iterable[dict[str, Any]]) -> Iterator[Tweet]:
    for value in values:
        tweet = value.get("tweet", value)
        if isinstance(tweet, dict) and (found := _tweet(tweet)):
            yield found


def _tweet(tweet: dict[str, Any]) -> Tweet | None:
    text = tweet.get("full_text") or tweet.get("text")
    id = line(tweet.get("id_str")) or line(tweet.get("id"))
    if not isinstance(text, str) or not id:
        return None
    entities = tweet.get("entities")
    entities = entities if isinstance(entities, dict) else {}
    media = _listed(tweet.get("extended_entities"), "media") or _listed(entities, "media")
    for url in _listed(entities, "urls"):
        short, long = url.get("url"), url.get("expanded_url")
        if isinstance(short, str) and short and isinstance(long, str):
            text = text.replace(short, long)
    for picture in media:
        if isinstance(short := picture.get("url"), str) and short:
            text = text.replace(short, "")
    names = [line(p.get("media_url_https")) or line(p.get("media_url")) for p in media]
    alts = [line(picture.get("ext_alt_text")) for picture in media]
    return Tweet(
        id=id,
        text=clean(unescape(text)).strip(),
        at=_date(line(tweet.get("created_at"))),
        answers=line(tweet.get("in_reply_to_status_id_str")),
        answered=line(tweet.get("in_reply_to_screen_name")),
        is_retweet=bool(_RETWEET.match(text)),
        pictures=tuple(
            joined(name.rpartition("/")[2], alt, by=": ")
            for name, alt in zip(names, alts, strict=True)
            if name
        ),
        tags=tuple(filter(None, (line(t.get("text")) for t in _listed(entities, "hashtags")))),
    )


def _listed(holder: object, key: str) -> list[dict[str, Any]]:
    items = holder.get(key) if isinstance(holder, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _date(text: str) -> datetime | None:
    """ "Wed May 01 10:31:00 +0000 2024" """
    try:
        return datetime.strptime(text, "%a %b %d %H:%M:%S %z %Y").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _entry(thread: list[Tweet], user: str) -> Entry:
    text = ""
    places: list[Place] = []
    for tweet in thread:
        text += "\n\n" if text else ""
        places.append(Place(len(text), _locator(tweet, user)))
        shown = f"Pictures: {', '.join(tweet.pictures)}." if tweet.pictures else ""
        text += joined(tweet.text, shown, by="\n\n")
    first = thread[0]
    if first.answered and first.answered.casefold() != user.casefold():
        opening = f"(in answer to @{first.answered})\n\n"
        text = opening + text
        places = [places[0], *(Place(p.offset + len(opening), p.label) for p in places[1:])]
    words = _SHORT.sub("", first.text)
    return Entry(
        title=first_words(words) or f"Tweet of {minute(first.at) or first.id}",
        text=text,
        locator=_locator(first, user),
        date=max((tweet.at for tweet in thread if tweet.at), default=None),
        key=f"tweet {first.id}",
        places=tuple(places),
        tags=tuple(dict.fromkeys(tag for tweet in thread for tag in tweet.tags)),
    )


def _locator(tweet: Tweet, user: str) -> str:
    """When, and the address at which the tweet can be looked up."""
    return joined(minute(tweet.at), f"https://x.com/{user or 'i/web'}/status/{tweet.id}")
