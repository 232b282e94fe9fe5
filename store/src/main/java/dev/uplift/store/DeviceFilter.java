package dev.uplift.store;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Which devices are wanted.
///
/// @param labels that a device must all have, with these values
/// @param runs what one of its hosts at least must run; empty if it does not matter
public record DeviceFilter(Map<String, String> labels, Optional<Runs> runs) {
  public static final DeviceFilter ALL = new DeviceFilter(Map.of(), Optional.empty());

  public DeviceFilter {
    labels = Map.copyOf(labels);
  }

  /// A host runs this version of a package.
  ///
  /// @param version `unknown`: the host never named the package
  public record Runs(String packageName, String version) {
    boolean isUnknown() {
      return version.equals("unknown");
    }
  }

  Question question() {
    Question question = labels.isEmpty() ? all() : labelled();
    runs.ifPresent(wanted -> narrow(question, wanted));
    return question;
  }

  private static Question all() {
    return new Question(
        "tenant, name", "SELECT * FROM device WHERE tenant = :tenant AND name > :after");
  }

  /// Begins at the labels, so that few devices among many are found at once.
  private Question labelled() {
    var sql = new StringBuilder("SELECT device.* FROM device_label l0");
    for (int i = 1; i < labels.size(); i++) {
      sql.append(" JOIN device_label l%d ON l%d.tenant = l0.tenant".formatted(i, i))
          .append(" AND l%d.device = l0.device".formatted(i));
    }
    sql.append(" JOIN device ON device.tenant = l0.tenant AND device.name = l0.device")
        .append(" WHERE l0.tenant = :tenant AND l0.device > :after");
    var question = new Question("l0.tenant, l0.label, l0.content, l0.device", sql.toString());
    int i = 0;
    for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
      question
          .and("l%d.label = :label%d AND l%d.content = :content%d".formatted(i, i, i, i))
          .with("label" + i, label.getKey())
          .with("content" + i, label.getValue());
      i++;
    }
    return question;
  }

  private static void narrow(Question question, Runs wanted) {
    question
        .and(
            """
            EXISTS (SELECT 1 FROM host
              LEFT JOIN host_version v
                ON v.tenant = host.tenant AND v.host = host.name AND v.package = :package
              WHERE host.tenant = device.tenant AND host.device = device.name AND %s)\
            """
                .formatted(wanted.isUnknown() ? "v.version IS NULL" : "v.version = :version"))
        .with("package", wanted.packageName());
    if (!wanted.isUnknown()) {
      question.with("version", wanted.version());
    }
  }
}
