package dev.uplift.workflows.device;

import dev.uplift.fleet.Progress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What Temporal Web UI shows of a running upgrade: one look says what it does and waits for. What
/// matters comes first and is narrow, for the page gives it a small box.
final class StatusPage {
  private StatusPage() {}

  /// Markdown.
  static String of(Status status) {
    StringBuilder page = new StringBuilder("**").append(status.phase()).append("**");
    status.reason().ifPresent(why -> page.append(", stopped: ").append(plain(why.text())));
    status.pausedBy().ifPresent(by -> page.append(", paused by ").append(plain(by.inWords())));
    page.append("\n\n");
    for (Wait wait : status.waits()) {
      page.append("- waits: ").append(inWords(wait)).append("\n");
    }
    page.append("\n| host | progress | runs |\n");
    page.append("|---|---|---|\n");
    for (HostReport host : status.hosts()) {
      page.append(
          "| %s | %s | %s |\n".formatted(host.host(), progress(host), plain(host.version())));
    }
    return page.toString();
  }

  private static String inWords(Wait wait) {
    return plain(wait.sentence())
        + said(wait.what())
        + ", since "
        + time(wait.since())
        + wait.until().map(until -> ", until " + time(until)).orElse("");
  }

  /// What a person may say about it.
  private static String said(WaitFor what) {
    return switch (what) {
      case PERSON -> " (`retryStep`, `skipHost` or `abort`)";
      case APPROVAL -> " (`approve` or `deny`)";
      case ANSWER, HEARTBEAT, PRESENCE, RESUME, GO, WINDOW, BACK_OFF, SOAK -> "";
    };
  }

  private static String progress(HostReport host) {
    Progress progress = host.progress();
    String error = host.reason().map(why -> ": " + plain(why.text())).orElse("");
    return (host.skipped() ? progress + ", skipped" : progress) + error;
  }

  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// A host's own words must not break the table.
  static String plain(String text) {
    return text.replace("|", "\\|").replaceAll("\\s+", " ");
  }
}
