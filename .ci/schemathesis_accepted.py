"""Refusals of requests that are valid by the OpenAPI document, each with the reason why no schema can tell.

A valid request may be refused with 400 or 422 only if each fault that the server names is one of these. Every other
finding fails the run.
"""

import json
import re

import schemathesis

# A policy has the plan of its rollouts in a field, and the OS upgrade has the windows of its policy.
WINDOW = "(/rollout)?/(maintenance-)?windows/[0-9]+"
WAVE = "(/rollout)?/waves/[0-9]+"
DEVICES = "(1 device|[0-9]+ devices)"
NAME = "[A-Za-z0-9][A-Za-z0-9_-]*"
TIME = "[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
QUOTED = '"[^"]*"'
ZONE = "an IANA time zone such as Europe/Berlin"
EXPRESSION = "line [0-9]+, column [0-9]+: (?!expected at most ).+"
# `; 2 devices have no label ring and are not selected`
NOT_ASKED = "(; (1 device has|[0-9]+ devices have) .+ (is|are) not selected)?"

# Where the fault is (a parameter, a header, or a pointer into the body), what the server says of it, and why it is accepted.
ACCEPTED = [
    # Grammars and names that no pattern has.
    ("cursor", "expected the next_cursor of the page before", "a cursor is opaque"),
    (
        "/.+",
        r"expected a text without the character U\+(10|[1-9A-F])FFF[EF], which stands for nothing",
        "patterns have no escapes beyond U+FFFF that all clients know",
    ),
    (f"filter|/selection|{WAVE}/expression", EXPRESSION, "an expression has a grammar"),
    ("(/hosts/[0-9]+)?/zone|/cron_zone", f"expected {ZONE}, found {QUOTED}", "the names of all zones"),
    (
        f"{WINDOW}/timezone",
        rf"expected site-local or {ZONE}( \(perhaps [A-Za-z0-9/_+-]+\?\))?, found {QUOTED}",
        "the names of all zones",
    ),
    (
        f"{WINDOW}/duration",
        "expected a duration of whole minutes from 1m to 7d such as 4h, found PT[0-9HMS.-]+",
        "a sum with a least and a greatest value",
    ),
    (
        f"{WINDOW}/duration",
        'expected a duration such as 4h, 90m, 1h30m or 2d, found "P[0-9DTHMS.]+"',
        "the grammar of durations in ISO 8601",
    ),
    (
        f"{WINDOW}/blackout_dates/[0-9]+",
        "expected a date such as 2026-12-24 or a range of them such as 2026-12-24/2027-01-06, found "
        '"[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?"',
        "the calendar",
    ),
    (
        f"{WINDOW}/blackout_dates/[0-9]+",
        "expected the first date before the last, found [0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{4}-[0-9]{2}-[0-9]{2}",
        "two dates",
    ),
    ("/root", ".+", "a text that is JSON, of which no schema says anything"),
    (
        "/signature",
        r"expected signatures of the exact text by [0-9]+ of the release keys of root [0-9]+ \(.+\); create them with "
        "`uplift release sign` and `uplift keys sign`",
        "no generator signs",
    ),
    ("sha256", "the SHA-256 of the body is [0-9a-f]{64}", "no generator finds a body for a digest"),
    ("If-None-Match", r"expected \* alone, for what must not exist yet", "two headers"),
    # The present time, and the years that databases have.
    ("/not_after", "expected a time in the future, at most [0-9]+ days from now", "the time"),
    ("/until", "expected a time in the future; it is past", "the time"),
    ("/issued_before", "expected a time that is not in the future", "the time"),
    ("/not_after", f"{TIME} is past; expected a time in the future", "the time"),
    ("/not_after", f"the waves soak for PT[0-9HMS.]+ in all; expected a deadline after {TIME}", "the time"),
    (
        f"(/|{WAVE}/)(not_after|not_before|until|start_at|issued_before)",
        "expected a time with its offset such as 2026-12-24T18:00:00Z, found "
        '"(0[0-9]{3}|1[0-8][0-9]{2}|19[0-6][0-9]|1970-01-01|9999)[^"]+"',
        "years before 1970 and after 9998",
    ),
    (
        f"(/|{WAVE}/)(not_after|not_before|until|start_at|issued_before)",
        'expected a time with its offset such as 2026-12-24T18:00:00Z, found "[^"]+[+-](18:(0[1-9]|[1-5][0-9])|19:[0-5][0-9]|2[0-3]:[0-5][0-9])"',
        "offsets of more than 18 hours, which no place has",
    ),
    # Rules for several fields.
    ("package|version", "expected package and version together; the version may be unknown", "two parameters"),
    ("confirm", f"expected {NAME}, the name of the tenant", "two parameters"),
    ("", "expected either token_id or subject", "two fields"),
    ("", "expected either version or hold", "two fields"),
    ("/issued_before", "expected only with subject", "two fields"),
    ("/hosts", f"expected each host once, found {NAME} twice", "two items"),
    ("/reason", "is missing; expected why the windows of the device are ignored", "two fields"),
    ("/reason", "is for ignore_windows; expected it only there", "two fields"),
    ("/wait_for_window", "cannot be together with ignore_windows; expected one of them", "two fields"),
    ("(/rollout)?(/window)?/on_close", "roll-back has nothing to roll back with the rollback_scope none", "two fields"),
    ("(/rollout)?/window/reason", "is empty; expected why the windows of the devices are ignored", "two fields"),
    (
        WAVE,
        "expected one of count, percent, expression, each_value_of, rest, found "
        "(none|(count|percent|expression|each_value_of|rest)( and (percent|expression|each_value_of|rest))+)",
        "five fields",
    ),
    (
        "/cron",
        'expected (five fields, one space apart, such as 0 22 \\* \\* 6|.+ as \\*, a number from [0-9]+ to [0-9]+, a range, a '
        'step, or several of them with commas), found ".*"',
        "the grammar of cron lines",
    ),
    ("/each_window", "cannot be together with cron; expected one of them", "two fields"),
    ("/spread_over_seconds", "expected 0 with cron: a run begins with all that is due", "two fields"),
    ("/target", "expected version, at_least, channel or offered, and one of them only", "four fields"),
    ("/migration", "expected approval, which is true, or device, and one of them only", "two fields"),
    ("/migration", "expected package and version only with device", "two fields"),
    ("/migration/version", "expected the version that the device is upgraded to", "two fields"),
    ("/max_halt_seconds", "expected more than deadline_seconds, [0-9]+", "two fields"),
    (f"{WAVE}/rest", "expected true, or no such field", "clients are generated without booleans of one value"),
    (f"{WAVE}/rest", "leaves nothing to later waves; expected it last", "several waves"),
    (f"{WAVE}/percent", "makes [0-9]+ % with the waves before it; expected at most 100 together", "several waves"),
    (f"{WAVE}/not_before", "is missing: the gate time needs the time at which it opens", "two fields"),
    (f"{WAVE}/not_before", "expected only with the gate time", "two fields"),
    (f"{WAVE}/spread_by_label", "expected only with count or percent: .+ takes all there are", "two fields"),
    (
        f"/start_at|{WAVE}/not_before",
        f"{TIME} is not before the deadline; expected a time before {TIME}",
        "two fields",
    ),
    ("(/rollout)?/limits/group_limits/[0-9]+/label", ".+ stands here twice; expected one limit for it", "two items"),
    ("/url", "expected https: this server sends events over TLS only", "a setting of the server"),
    # What there is.
    ("/events/[0-9]+", "there is no event of this kind", "the kinds of events"),
    ("/selection", "selects no device with a host", "the devices that an expression takes"),
    ("(/migration)?/version", ".+ does not exist", "the releases"),
    ("/migration/device", "there is no device .+", "the devices"),
    ("/migration/device", ".+ is selected to halt, so it cannot be upgraded meanwhile", "the devices"),
    ("/version", f"there is no release .+ in {NAME}; publish it first", "the releases"),
    (
        "/selection",
        f"takes none of the {DEVICES}; expected one that is true of at least one{NOT_ASKED}",
        "the devices that an expression takes",
    ),
    (
        "/selection",
        f"takes [0-9]+ devices and none of them takes part, {NAME} for one: .+; expected at least one",
        "the devices that an expression takes",
    ),
    (
        "/everything",
        f"the selection takes all {DEVICES}; expected true to confirm that{NOT_ASKED}",
        "the devices that an expression takes",
    ),
    (
        "/version",
        f".+ can be installed on none of the [0-9]+ devices that are selected, {NAME} for one: .+",
        "what the devices run",
    ),
    (
        f"{WAVE}/(count|percent|rest)",
        f"the waves before it take all {DEVICES}; expected fewer waves, or smaller ones",
        "the devices that are left to a wave",
    ),
    (
        f"{WAVE}/expression",
        "is true of no device that is in no wave yet; expected at least one",
        "the devices that are left to a wave",
    ),
    (
        f"{WAVE}/each_value_of",
        "no device that is in no wave yet has the label .+; expected at least one",
        "the devices that are left to a wave",
    ),
    (
        "/waves",
        rf'leave over [0-9]+ of {DEVICES}, {NAME} for one; expected a last wave \{{"rest": true\}}',
        "the devices that waves take",
    ),
]


def is_accepted(error):
    place = error.get("pointer", error.get("parameter", error.get("header", "")))
    return any(
        re.fullmatch(where, place) and re.fullmatch(what, error["detail"], re.DOTALL) for where, what, _ in ACCEPTED
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps a failure, unless it is an accepted refusal."""
    if failure.code != "ST202" or response.status_code not in (400, 422):
        return True
    errors = json.loads(response.content).get("errors", [])
    return not errors or not all(is_accepted(error) for error in errors)
