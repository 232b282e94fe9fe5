package dev.uplift.workflows.device;

import dev.uplift.fleet.Progress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The page of a running upgrade in Temporal Web UI: what it does and waits for. The most important comes first and is
/// narrow, because the page gives it a small box.
public final class UpgradeCurrentDetails {
  private UpgradeCurrentDetails() {}

  /// Markdown.
  public static String of(UpgradeStatus upgradeStatus) {
    StringBuilder page = new StringBuilder("**").append(upgradeStatus.phase()).append("**");
    upgradeStatus.reason().ifPresent(why -> page.append(", stopped: ").append(escape(why.message())));
    upgradeStatus.pausedBy().ifPresent(by -> page.append(", paused by ").append(escape(by.describe())));
    page.append("\n\n");
    for (PendingWait pendingWait : upgradeStatus.waits()) {
      page.append("- waits: ").append(describe(pendingWait)).append("\n");
    }
    page.append("\n| host | progress | runs |\n");
    page.append("|---|---|---|\n");
    for (HostReport host : upgradeStatus.hosts()) {
      page.append("| %s | %s | %s |\n".formatted(host.host(), progress(host), escape(host.version())));
    }
    return page.toString();
  }

  private static String describe(PendingWait pendingWait) {
    return escape(pendingWait.message())
        + possibleActions(pendingWait.reason())
        + ", since "
        + formatTime(pendingWait.since())
        + pendingWait.until().map(until -> ", until " + formatTime(until)).orElse("");
  }

  /// The updates that end the wait.
  private static String possibleActions(PendingWait.UpgradeWaitReason reason) {
    return switch (reason) {
      case PERSON -> " (`retryStep`, `skipHost` or `abort`)";
      case APPROVAL -> " (`approve` or `deny`)";
      case RESULT, HEARTBEAT, OFFLINE, PRESENCE, RESUME, PROCEED, WINDOW, BACK_OFF, SOAK -> "";
    };
  }

  private static String progress(HostReport host) {
    Progress progress = host.progress();
    String error = host.reason().map(why -> ": " + escape(why.message())).orElse("");
    return (host.skipped() ? progress + ", skipped" : progress) + error;
  }

  static String formatTime(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// Texts from hosts must not break the table, nor become links, images or other markup.
  static String escape(String text) {
    return text.replaceAll("[\\\\`\\[\\]<>!|*]", "\\\\$0").replace("://", ":\\//").replaceAll("\\s+", " ");
  }
}
