"""Refusals of requests that are valid by the OpenAPI document, each with the reason why no schema can tell.

A valid request may be refused with 400 or 422 only if each fault that the server names is one of these. Every other
finding fails the run.
"""

import json
import re

import schemathesis

# Where the fault is (a parameter, a header, or a pointer into the body), what the server says of it, and why it is accepted.
ACCEPTED = [
    # Grammars and names that no pattern has.
    ("cursor", "expected the next_cursor of the page before", "a cursor is opaque"),
    ("filter|/selection|/waves/[0-9]+/expression", "line [0-9]+, column [0-9]+: .+", "an expression has a grammar"),
    ("filter", "expected an expression, such as .+", "a blank text is none"),
    (".*/zone", "expected an IANA time zone .+", "the names of all zones"),
    (".*/timezone", "expected site-local or an IANA time zone .+", "the names of all zones"),
    (".*/duration", "expected a duration .+", "the shortest and the longest duration"),
    (".*/blackout_dates/[0-9]+", "expected a date .+|expected the first date before the last.+", "the calendar"),
    ("sha256", "the SHA-256 of the body is [0-9a-f]{64}", "no generator finds a body for a digest"),
    ("If-None-Match", r"expected \* alone, .+", "a header that excludes another"),
    # The present time, and the years that databases have.
    (".*/(not_after|until|start_at)", ".*(in the future|is past|not before the deadline|deadline after).*", "the time"),
    (".*/(not_after|not_before|until|start_at)", "expected a time with its offset .+", "1970 to 9998"),
    (".*/not_before", ".+ is not before the deadline.+", "the time"),
    # Rules for several fields.
    ("package|version", "expected package and version together.+", "two parameters"),
    ("/hosts", "expected each host once.+", "two items"),
    ("/reason", "is for ignore_windows; expected it only there|is missing; expected why .+", "two fields"),
    ("/wait_for_window", "cannot be together with ignore_windows.+", "two fields"),
    ("/on_close", "roll-back has nothing to roll back .+", "two fields"),
    ("/window/reason", "is empty; expected why .+", "two fields"),
    ("/waves/[0-9]+", "expected one of count, percent, expression, each_value_of, rest, found .+", "five fields"),
    ("/waves/[0-9]+/rest", "expected true, or no such field|leaves nothing to later waves.+", "a wave and its place"),
    ("/waves/[0-9]+/percent", "makes [0-9]+ % with the waves before it.+", "several waves"),
    ("/waves/[0-9]+/not_before", "is missing: .+|expected only with the gate time", "two fields"),
    ("/waves/[0-9]+/spread_by_label", "expected only with count or percent: .+", "two fields"),
    # What there is.
    ("/version", "there is no release .+; publish it first", "the releases"),
    ("/selection|/everything|/waves.*", ".*(devices|device) .+", "the devices that an expression takes"),
]

# Bodies that are signed: no generator signs.
SIGNED = {"publishRelease", "publishRoot", "join", "renew"}


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
    if case.operation.definition.raw.get("operationId") in SIGNED:
        return False
    errors = json.loads(response.content).get("errors", [])
    return not errors or not all(is_accepted(error) for error in errors)
