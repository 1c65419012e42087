"""Times as the documents have them: Unix seconds, ISO 8601, and clocks on walls."""

import datetime
import functools
import re
import zoneinfo

DAY = 86_400.0
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(Z|[+-]\d\d:?\d\d)?)?$")
EPOCH = datetime.datetime(1970, 1, 1)


def parse_iso(text):
    """Unix seconds of an ISO 8601 text, UTC where it names no zone, or None."""
    match = ISO.match(text)
    if not match:
        return None
    year, month, day, hour, minute, second, zone = match.groups()
    try:
        start = datetime.datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0))
    except ValueError:
        return None
    seconds = (start - EPOCH).total_seconds() + float(second or 0)
    if zone and zone != "Z":
        offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        seconds += -offset if zone[0] == "+" else offset
    return seconds


def iso(seconds, suffix="Z"):
    """The ISO 8601 text of Unix seconds, in whole milliseconds."""
    moment = EPOCH + datetime.timedelta(milliseconds=round(seconds * 1000))
    text = moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
    return text + suffix


@functools.lru_cache(maxsize=None)
def zone(name):
    """The zone of that name, or None where there is none."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def local(seconds, zone_name):
    """What a clock in a zone shows, as a naive datetime."""
    moment = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(
        milliseconds=round(seconds * 1000)
    )
    return moment.astimezone(zone(zone_name)).replace(tzinfo=None, fold=0)


def moment(shown, zone_name):
    """The moment at which a clock shows a time: the first of two, and as much after a jump as the clock passes over."""
    aware = shown.replace(tzinfo=zone(zone_name), fold=0)
    return (aware.astimezone(datetime.timezone.utc).replace(tzinfo=None) - EPOCH).total_seconds()


def span(seconds):
    """So many seconds, to the millisecond."""
    return datetime.timedelta(milliseconds=round(seconds * 1000))
