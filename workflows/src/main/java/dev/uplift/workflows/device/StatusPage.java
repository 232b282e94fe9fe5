package dev.uplift.workflows.device;

import dev.uplift.fleet.Progress;

/// What Temporal Web UI shows of a running upgrade: one look says what it does and waits for.
final class StatusPage {
  private StatusPage() {}

  /// Markdown.
  static String of(Status status) {
    StringBuilder page = new StringBuilder("**").append(status.phase()).append("**");
    status.reason().ifPresent(why -> page.append(", stopped: ").append(plain(why.text())));
    status.pausedBy().ifPresent(by -> page.append(", paused by ").append(plain(by.inWords())));
    page.append("\n\n| host | progress | runs | waits for | since | until |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (HostReport host : status.hosts()) {
      page.append(row(host, status));
    }
    return page.toString();
  }

  private static String row(HostReport host, Status status) {
    String known = "| %s | %s | %s".formatted(host.host(), progress(host), plain(host.version()));
    return status.waits().stream()
        .filter(wait -> wait.host().equals(host.host()))
        .findFirst()
        .map(wait ->
            " | %s | %s | %s |\n"
                .formatted(
                    plain(wait.sentence()),
                    wait.since(),
                    wait.until().map(Object::toString).orElse("")))
        .map(known::concat)
        .orElse(known + " | | | |\n");
  }

  private static String progress(HostReport host) {
    Progress progress = host.progress();
    String error = host.reason().map(why -> ": " + plain(why.text())).orElse("");
    return (host.skipped() ? progress + ", skipped" : progress) + error;
  }

  /// A host's own words must not break the table.
  static String plain(String text) {
    return text.replace("|", "\\|").replaceAll("\\s+", " ");
  }
}
