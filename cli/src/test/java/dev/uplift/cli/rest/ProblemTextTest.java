package dev.uplift.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refusals as a person reads them: sentences without status words, and the option that helps.
class ProblemTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "409 | {'title':'Conflict','detail':'held: held by admin'} |"
            + " held by admin (`uplift device release DEVICE` ends a hold)",
        "409 | {'title':'Conflict','detail':'downgrade: 1.2 on till-1 is newer than till 1.0'} |"
            + " 1.2 on till-1 is newer than till 1.0 (--allow-downgrade permits it)",
        "409 | {'title':'Conflict','detail':'pinned: till is pinned to 1.4 by ann: certified; a person may override it'} |"
            + " till is pinned to 1.4 by ann: certified; a person may override it (with --override-pin)",
        "409 | {'title':'Conflict','detail':'pinned: till is held on till-1 by its owner (root): stocktaking'} |"
            + " till is held on till-1 by its owner (root): stocktaking",
        "409 | {'title':'Conflict','detail':'stopped: ann has stopped acme: receipts'} |"
            + " ann has stopped acme: receipts (`uplift stop --end` ends the stop)",
        "409 | {'title':'Conflict','detail':'it is outside of its windows; with wait_for_window it starts in the next"
            + " one, with ignore_windows and a reason it starts now'} | it is outside of its windows; with"
            + " --wait-for-window it starts in the next one, with --ignore-windows and a reason it starts now",
        "422 | {'title':'Unprocessable Entity','detail':'there is no release','errors':"
            + "[{'pointer':'/version','detail':'there is no release'}]} | version: there is no release",
        "409 | {'title':'Conflict','errors':[{'pointer':'/hosts/1/host','detail':'y is on the device c'}]} |"
            + " hosts[2].host: y is on the device c",
        "400 | {'title':'Bad Request','detail':'2 fields are wrong','errors':[{'pointer':'/zone','detail':'no zone'},"
            + "{'header':'If-Match','detail':'expected 1'}]} |"
            + " 2 fields are wrong; zone: no zone; If-Match: expected 1",
        "404 | {'title':'Not Found','detail':'there is no device x in acme'} | there is no device x in acme",
        "412 | {'title':'Precondition Failed','detail':'it was changed'} |"
            + " it was changed (`show --json` has the version that --if-match expects)",
        "502 | {} | the server answered 502",
        "403 | {'title':'Forbidden'} | Forbidden",
      })
  void aRefusalIsASentence(int status, String problem, String line) {
    assertThat(ProblemText.of(status, RestClient.JSON.readTree(problem.replace('\'', '"')))).isEqualTo(line);
  }
}
