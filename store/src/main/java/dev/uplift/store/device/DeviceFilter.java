package dev.uplift.store.device;

import dev.uplift.store.PagedQuery;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Which devices are wanted.
///
/// @param labels that a device must all have, with these values
/// @param runningVersion what one of its hosts at least must run; empty if it does not matter
public record DeviceFilter(Map<String, String> labels, Optional<RunningVersion> runningVersion) {
  public static final DeviceFilter ALL = new DeviceFilter(Map.of(), Optional.empty());

  public DeviceFilter {
    labels = Map.copyOf(labels);
  }

  /// A host runs this version of a package.
  ///
  /// @param version `unknown`: the host never named the package
  public record RunningVersion(String packageName, String version) {
    boolean isUnknown() {
      return version.equals("unknown");
    }
  }

  PagedQuery toQuery() {
    PagedQuery pagedQuery = labels.isEmpty() ? all() : withLabels();
    runningVersion.ifPresent(wanted -> addRunningVersion(pagedQuery, wanted));
    return pagedQuery;
  }

  private static PagedQuery all() {
    return new PagedQuery(
        "tenant, name", "SELECT * FROM device WHERE tenant = :tenant AND name > :after");
  }

  /// Begins at the labels, so that few devices among many are found at once.
  private PagedQuery withLabels() {
    var sql = new StringBuilder("SELECT device.* FROM device_label l0");
    for (int i = 1; i < labels.size(); i++) {
      sql.append(" JOIN device_label l%d ON l%d.tenant = l0.tenant".formatted(i, i))
          .append(" AND l%d.device = l0.device".formatted(i));
    }
    sql.append(" JOIN device ON device.tenant = l0.tenant AND device.name = l0.device")
        .append(" WHERE l0.tenant = :tenant AND l0.device > :after");
    var pagedQuery = new PagedQuery("l0.tenant, l0.label, l0.label_value, l0.device", sql.toString());
    int i = 0;
    for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
      pagedQuery
          .and("l%d.label = :label%d AND l%d.label_value = :content%d".formatted(i, i, i, i))
          .bind("label" + i, label.getKey())
          .bind("content" + i, label.getValue());
      i++;
    }
    return pagedQuery;
  }

  private static void addRunningVersion(PagedQuery pagedQuery, RunningVersion wanted) {
    pagedQuery
        .and(
            """
            EXISTS (SELECT 1 FROM host
              LEFT JOIN host_version v
                ON v.tenant = host.tenant AND v.host = host.name AND v.package = :package
              WHERE host.tenant = device.tenant AND host.device = device.name AND %s)\
            """
                .formatted(wanted.isUnknown() ? "v.version IS NULL" : "v.version = :version"))
        .bind("package", wanted.packageName());
    if (!wanted.isUnknown()) {
      pagedQuery.bind("version", wanted.version());
    }
  }
}
