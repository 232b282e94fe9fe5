package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs every test of a class on each [Engine], on a database of its own, in a tenant of its own.
@ParameterizedClass
@EnumSource
@SuppressWarnings("NullAway.Init") // JUnit sets them
abstract class OnBothDatabases {
  private static final AtomicInteger TENANTS = new AtomicInteger();

  static DatabaseSettings settings;
  static Database database;

  @Parameter Engine engine;

  final ClockByHand clock = new ClockByHand();
  String tenant = "";

  @BeforeParameterizedClassInvocation
  static void openDatabase(Engine engine) {
    settings = engine.fresh();
    database = Database.open(settings);
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void createTenant() {
    tenant = newTenant();
  }

  final String newTenant() {
    String name = "tenant-" + TENANTS.incrementAndGet();
    new Tenants(database, clock).put(name, "");
    return name;
  }

  final DeviceId device(String name) {
    return new DeviceId(tenant, name);
  }

  final DeviceSpec spec(String name, String... hosts) {
    return new DeviceSpec(device(name), hosts(hosts), Map.of(), ZoneId.of("Europe/Berlin"));
  }

  static List<HostId> hosts(String... hosts) {
    return Stream.of(hosts).map(HostId::new).toList();
  }
}
