package dev.uplift.services;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.MDC;
import org.slf4j.MDC.MDCCloseable;

/// Names what a thread works on until it is closed: each line that it logs has these words, in the log as JSON.
public final class LogContext implements AutoCloseable {
  private final List<MDCCloseable> words = new ArrayList<>();

  private LogContext() {}

  /// A host of a tenant.
  public static LogContext ofHost(String tenant, String host) {
    return new LogContext().with("tenant", tenant).with("host", host);
  }

  /// An upgrade of a tenant.
  public static LogContext ofUpgrade(String tenant, String device, String upgrade) {
    return new LogContext().with("tenant", tenant).with("device", device).with("upgrade", upgrade);
  }

  /// A host in an upgrade.
  public static LogContext ofStep(String tenant, String device, String upgrade, String host) {
    return ofUpgrade(tenant, device, upgrade).with("host", host);
  }

  /// A rollout of a tenant.
  public static LogContext ofRollout(String tenant, String rollout) {
    return new LogContext().with("tenant", tenant).with("rollout", rollout);
  }

  private LogContext with(String name, String value) {
    words.add(MDC.putCloseable(name, value));
    return this;
  }

  @Override
  public void close() {
    words.forEach(MDCCloseable::close);
  }
}
